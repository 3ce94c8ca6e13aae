"""Encodings of text files: bytes become text, and a note reports every guess and loss.

They are tried in this order: a byte order mark, UTF-8 if all of it is valid, the
encoding that an SGF file names (``CA``), and a guess. The guess is the encoding in
which the bytes are the most usual text of a language, or the named one if only a few
bytes are damaged in it.

A byte that the encoding does not know becomes a character of its own, U+10FE80 to
U+10FEFF, which any text can contain; ``encoded`` makes it the same byte again. So a
game that is read and written keeps it.

>>> decode("Müller gegen Jörg".encode("cp1252")).text
'Müller gegen Jörg'
>>> decode("(;CA[Shift_JIS]GC[第十期名人戦 表])".encode("cp932")).text
'(;CA[Shift_JIS]GC[第十期名人戦 表])'
"""

# ruff: noqa: RUF001  (the tables have the letters of many alphabets)

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import cache
from itertools import pairwise
from math import log2
from operator import add
from typing import NamedTuple

__all__ = ["SEVERAL", "Decoded", "decode", "decoded", "encoded"]

SEVERAL = "several"


class Decoded(NamedTuple):
    """Text, and the encoding in which its bytes were read."""

    text: str
    encoding: str
    """Python's name of the codec, or ``SEVERAL``."""
    note: str = ""
    """Note about a guess or about unreadable bytes, one line; mostly empty."""


def decoded(data: bytes) -> str:
    """Return the text of bytes in any encoding; see ``decode``."""
    return decode(data).text


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Read bytes as text, in one encoding if it is given.

    The note counts the bytes that the encoding does not know. If the games of one file
    name several encodings, each game is read in its own. Raises ValueError for the name
    of an encoding that does not exist or holds no text.
    """
    if encoding is not None:
        try:
            return _read(data, encoding)
        except LookupError:
            raise ValueError(f"there is no encoding {encoding!r} of texts") from None
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _read(data, encoding)
    escapes = _named_escapes(data)
    if escapes:
        return _read(data, escapes)
    text = _strict(data, "utf-8")
    if text is not None and _MARK not in data:
        return Decoded(text, "utf-8")
    parts = _parts(data)
    read = [_part(part) for part in parts]
    if len(read) == 1:
        return read[0]
    notes = dict.fromkeys(part.note for part in read if part.note)
    return Decoded("".join(part.text for part in read), SEVERAL, "; ".join(notes))


def encoded(text: str) -> bytes:
    """Return text as UTF-8, and the bytes that were not decoded as they were."""
    data = text.encode("utf-8", "surrogateescape")
    if _MARK not in data:
        return data
    text = _RAW.sub(lambda found: found[0].translate(_ESCAPES), text)
    return text.encode("utf-8", "surrogateescape")


# Characters of bytes that were not decoded. Python's own ones for them, surrogates,
# are no text for UTF-8, SQLite and Qt.
_ESCAPES = {0x10FE00 + byte: 0xDC00 + byte for byte in range(0x80, 0x100)}
_RAW = re.compile("[\U0010fe80-\U0010feff]+")
_MARK = b"\xf4\x8f"  # the first bytes of them in UTF-8
_SURROGATES = {code: kept for kept, code in _ESCAPES.items()}
_ESCAPED = re.compile("[\udc80-\udcff]+")
# Python's cp932 reads four bytes without a meaning as private characters.
_SURROGATES |= {0xF8F0 + k: 0x10FE00 + b for k, b in enumerate(b"\xa0\xfd\xfe\xff")}
_ESCAPED_932 = re.compile("[\udc80-\udcff\uf8f0-\uf8f3]+")
_LOST = "\ufffd"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NAMED = re.compile(
    rb"[Cc][Aa](?<![A-Za-z0-9]..)\s*\[\s*([A-Za-z0-9_.:() -]{1,40}?)\s*\]"
)
_GAME = re.compile(rb"\(\s*;")
# The codecs that a file may name: the text encodings in which ASCII can be read, since
# the name itself was. Python's other codecs unpack data (hex, zip), read escapes
# (unicode_escape, utf_7), or serve other purposes (idna, punycode, undefined).
_TEXT = frozenset(
    """
    ascii big5 big5hkscs cp1006 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256
    cp1257 cp1258 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860
    cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp932 cp949 cp950 euc_jis_2004
    euc_jisx0213 euc_jp euc_kr gb18030 gb2312 gbk hp_roman8 hz iso2022_jp iso2022_jp_1
    iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr iso8859_1
    iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2
    iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 johab koi8_r
    koi8_t koi8_u kz1048 latin_1 mac_arabic mac_croatian mac_cyrillic mac_farsi
    mac_greek mac_iceland mac_latin2 mac_roman mac_romanian mac_turkish palmos ptcp154
    shift_jis shift_jis_2004 shift_jisx0213 tis_620
    """.split()
)
# Meaning of names in practice: files that name a small set use the larger one.
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "cp949": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "latin-1": "cp1252",
    "iso8859-9": "cp1254",
}
_ALIASES = {
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ms932": "cp932",
    "ansi": "cp1252",
    "gb": "gb18030",
    "gb2312-80": "gb18030",
    "x-euc-jp": "euc_jp",
}
# Big5 in the wild is either of these two; the first has the euro and box drawings.
_BIG5 = ("cp950", "big5hkscs")
# The first composes the syllables that the set lacks, the second has them.
_KOREAN = ("euc_kr", "cp949")


def _codecs_named(name: str) -> tuple[str, ...]:
    """Return the codecs to try for a name in a file; empty if it names none."""
    name = name.strip().lower()
    if name in _ALIASES:
        return (_ALIASES[name],)
    plain = normalize_encoding(name.replace(".", "_"))
    plain = aliases.get(plain, plain)
    if plain not in _TEXT:  # or UTF-8, which is not valid: it was tried before
        return ()
    try:
        found = codecs.lookup(plain).name
    except LookupError:  # a Python without this codec
        return ()
    if found in ("big5", "cp950", "big5hkscs"):
        return _BIG5
    if found == "euc_kr":
        return _KOREAN
    return (_WIDER.get(found, found),)


def _named_escapes(data: bytes) -> str:
    """Return the encoding of seven bits that a file names and uses; empty for none."""
    named = _NAMED.search(data) if data.isascii() else None
    if named is None:
        return ""
    (found, *_) = (*_codecs_named(named[1].decode("ascii")), "")
    if found.startswith("iso2022") and b"\x1b" in data:
        return found
    return found if found == "hz" and b"~{" in data else ""


def _parts(data: bytes) -> list[bytes]:
    """Return the parts of a collection whose games name different encodings."""
    named = list(_NAMED.finditer(data))
    if len({found[1].lower() for found in named}) < 2:
        return [data]
    starts = [found.start() for found in _GAME.finditer(data)]
    cuts = []
    for found in named[1:]:
        before = [start for start in starts if start < found.start()]
        cuts.append(before[-1] if before else 0)
    ends = sorted({0, *cuts, len(data)})
    return [data[a:b] for a, b in pairwise(ends)]


def _part(data: bytes) -> Decoded:
    text = _strict(data, "utf-8")
    if text is not None:
        return _read(data, "utf-8")
    named = _NAMED.search(data)
    name = named[1].decode("ascii") if named else ""
    candidates = _codecs_named(name)
    for encoding in candidates:
        text = _strict(data, encoding)
        if text is not None:
            return Decoded(text, encoding)
    if name.lower() in ("utf-8", "utf8"):
        candidates = ("utf-8",)
    guess = _guess(data, candidates[0] if candidates else "")
    read = _read(data, guess)
    if guess in ("utf-8", *candidates):
        return read
    stated = f"CA[{name}]" if named else "no encoding is named"
    note = f"{stated}: read as {guess}"
    return read._replace(note=f"{note}, {read.note}" if read.note else note)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
    return None if encoding == "cp932" and _ESCAPED_932.search(text) else text


def _read(data: bytes, encoding: str) -> Decoded:
    note = ""
    try:
        text = data.decode(encoding, "surrogateescape")
    except UnicodeDecodeError:  # in UTF-16: the bytes of a character have no sense
        text = data.decode(encoding, "replace")
        note = f"{text.count(_LOST)} characters could not be read as {encoding}"
    escaped = _ESCAPED_932 if codecs.lookup(encoding).name == "cp932" else _ESCAPED
    text = escaped.sub(lambda found: found[0].translate(_SURROGATES), text)
    kept = sum(map(len, _RAW.findall(text)))
    if kept:
        note = f"{kept} bytes could not be read as {encoding} and stay unchanged"
    return Decoded(text, encoding, note)


# ----- The guess -----
#
# The text of each language costs bits: few for its common characters, in the order of
# their frequency in names and other texts, and many for rare ones and for bytes without
# a meaning. Alphabets are judged by pairs of letters; the blank in a pair is the begin
# or the end of a word.

_UNREAD, _DAMAGED = 40.0, 14.0  # bits of an unread byte; in the named encoding
_READ = 4.0  # bits of another byte in an encoding without a language
_RARE, _SIGN = 18.0, 13.5  # bits of a character
_UNKNOWN, _PAIRED = 16.5, 5.0  # bits of a pair; of a letter, which is in two pairs
_NEAR = 9.0  # bits of letters side by side that no word has
_SAMPLE = 1 << 14  # bytes that the guess reads


class _Language(NamedTuple):
    codec: str
    common: str = ""
    """Characters, or pairs of letters, the most frequent first."""
    usual: bytes = b""
    """Pattern of the other characters in use; empty for an alphabet."""
    bits: float = 0.0
    """Bits of these characters; the more there are, the more they cost."""


_LANGUAGES = (
    _Language(
        "cp1252",
        "é å  éónélréãoørérä äríaänè à ánénröpåörnçrí è åhéläiëmätäårséléürméömémésça"
        "såéeiótéjøcéhänéá ë démáærbéääkääiëlpäfüédäl ø àönéé äjäçosøèsárhöínvä áoãkö"
        "ásjöísróösañätícsägåtàähäkñaù tóórétnäñoçãüléglíièäsuíölsáiùmüép ütágécíförä"
        "übéoó tíláønaçráéaécvæöhúlmåuérøoéèroëämévvérüsöènnåfånãføühcóünébrèò nèaúën"
        "håböbøjüõemíødeñbájæpémólöí hèváögaïjúîtnágödáåkíløyálöcåsnínøújödì èlølñeví"
        "ß möèvlèöfáeaígóånjéäe ösæoîáväciñeëägê ålíodíøstöívãecáhãö bäæssìiéætnæötmø"
        "lókütõøeøviçõnómågúbósïsdèråítlæânwääutåêtådïnaëràfáágázmõømæniáeã âöbábsãeó"
        "eïåtdäütúsüc úgüežžddöøjyöâmcâgãféhøêsdó íõlrúgènútürôúnjáômuñôtiãkésíírrævå"
        "fíhü ópõšenõõmißuòmãên çcêsúäyæl",
    ),
    _Language(
        "cp1250",
        "váá ár šánčeláć  čžemášeićásšt žó náráičálátácš čiákošišašłažišktóšiý č eč á"
        "očí ušéshá éčakáožeščkałę ięmítáé ačdálípáněnéšačnéržabózáažótírázežágrółosá"
        "óríktěbálóżevígájáníł élužž šoémtéučínám żnýréávméábćeő énjóétörećádášą lésł"
        "ť iáě říkéářołáčvěkóózílčoržřiítośülś řeíčséáhtíěkímtöówégbížnćiévvépéř ęd ć"
        "kýbéšnéběmós łłuršzéónpřěpż čuětvš úlýděhéšlröčlóbścköú číażžkvýsójšđuékjęčj"
        "ýcdřń ěj śeđaćšprínčvčžoeśšíökmółyižůžťatýdózőyáézełměřo řłeożiłždyłělrůnórý"
        "eápíořpšżyđeíšońščžbdéňkęcídżaáj ľiąšvlčícľugéšmlőućfüéhýkeżśleľużšťdíólözjú"
        "žáaťřáýmoćzęíhívaňsýsúdłaśyöbčjíeňösjčjąbłűsönňazłdűądötsťkššuőkęksőóżćaúlśw"
        "šábýížcígóyőůmtůłkułsąząiřď túfábęyšófsíédódľaśćyśősőlěržuüneďépísmügłyćođzí"
        "ióśnlörčńczüěciťkř ďběeńżnhýtüúrżbďawłójđaađtřkőółmôiśařoňzóańzűzölżľk íň ů "
        "ěnmšűcoéśkćutőącőruśrüźnnőöpvöôžeříglžęg",
    ),
    _Language(
        "cp1251",
        "а овв вако с вевнаро нно ко  пинн ан мнитой сти е  иоронлаар арая ли дполоен"
        " б т оолри гелилмимотилеер етакаавсет акимисикрегоне лийоссиалдемаким ве рдо"
        "атомр ь етльсоасесемоттемебо фдапрвозаитсаслтьод здиееир чияс нтогобк трейед"
        "ы л ье упачеоку аддркувиамсказфибе яфо эвсфеьябыхожеихх изпеойянтвапчтусофга"
        "егшекрвллякс жгрндиегеннекмуруэтхаургиидылипг лубрд ртякныигудагврвыпиктча ш"
        "укив хозулаез ссайопафбачииишинятуожлюьнфазнспсуоеоибуфрю св",
    ),
    _Language(
        "gb18030",
        "王李张的马玉刘国金斯秀华桂陈杨兰英文梅明黄尔大建之林子德和人阿吴于高军平一罗"
        "郭公家孙赵安白周中海丽凤龙淑小云朱那生珍是宋红武宗花利克师在成有胡荣为向方元"
        "志徐唐山天任石阳不特田光何了梁老芳太春道雷丁叶丹东夫我史鲁来燕长古司时江婷巴"
        "宝拉里魏康强普这万南正士世学侯韩连夏亚秦伊曾个谢苏相达贾格香伯过杜会可三都民"
        "由庄儿永后吕乌新祖郑曹峰立吉宁全封以开庆冯福雪美关左西义蒙发主清年先官诸氏科"
        "许齐能沙袁青孔维米戴上思他二法哈们钟帝程自施飞宫镇卢赫宣良修同汉莫温尚欧兵索"
        "靖霍如哥得尼恩艾应河政县风邓见陆晓乐章麦行要进毛其城你洪霞柳卫才波叔信潘保景"
        "水仁布皮力君忠振俊多爷真到权昌微卡闻本兴对蔡传姚州定少祥孟居门单杰蒋敬晋日韦"
        "桑蓉心惠地皇段纳路月谷沈富兄容常瑞也原剑乔将余么笑董楚伦汪萧但奇树就敏臣与姜"
        "满森颜勒钱木塔智范彭村诺远基至姆前通泽贺贤朝广严作易用代陶经理顾穆加冬书治查"
        "尹牛化战洛女说慧廷贵解者堂希戈仲尉弟引下盛合汤郎银芝母因区伟娘起费宇业星熊而"
        "岳殷襄出泰提边瓦然博嘉入松图好知虎领蒂崔狄部四胜季现分班隆柯谭府盖爱川还刚超"
        "从铁宏迪内承鹿麻重绍阴童没纪亮礼商亲孝顺复丰网管",
        rb"[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]",
        13.4,
    ),
    _Language(
        "cp950",
        "陳美王志林李張文黃秀麗淑明俊的玉宏華劉吳楊家玲雄建國雅金惠珠子宗蔡珍郭雲許馬"
        "宇龍豪周素怡羅英翰謝鄭斯德蘭成爾柏人高一之廷娟正是冠大婷和徐恩曾中洪梅於傑江"
        "賢承鳳公月在有琴葉蘇榮慧廖何阿進銘宋邱生賴世卿忠不孫趙朱了平方武為那白胡貞我"
        "莊安呂芬偉石天哲潘香海軍師霖蕭義寶翔這梁碧來元向興彭良君魏小沈施昌個山政克佳"
        "丁發利永顏連唐維特霞強東古夫會時鍾春魯陽秋以任侯可年靜田心盧信過蓮睿宜賈祥康"
        "們簡他學章巴道杜長衛戴相遠史上三太蓉瑋花雯立要全普兒新司光萍馮秦南你能敏輝氏"
        "娥仁主關董游拉雷得法到威開老鴻夏對二清韓諸鄧欣景軒柯左米格其余多西祖民官都先"
        "定陸麼自萬誠縣日勝吉封楚程就詹士彥柳後燕彬與行溫地修也靖真藍伯常雪曹曉詩達如"
        "應易齊博寧沙袁帝漢門伊科尼本湯說翁芳男品用紅由富宥麥烏財憲青嘉范赫裡城見樂但"
        "莫喬保歐錢振欽凱河居理同經聰孔霍福基哈姚因出聞顧洛路而笑塔涵亞蓁鈺書治解現蔣"
        "晉好將鎮費桑作才弟查皮女宣飛下智孟枝沒宮思兵前卓紀還爺語劍峰童松臣貴傅宸姜原"
        "少州傳哥通毛尚艾代風業納阮希奇加嚴勒穆群波然",
        rb"[\xa1-\xc6].",
        13.9,
    ),
    _Language(
        "cp932",
        "田藤子山木本中村佐川井小高大の美橋太一野い林加鈴上て吉松岡な裕石に伊た真原谷"
        "で島香和口智し崎渡る平樹かと辺は知三直が也人す明英佳を里弘貴っ水志千史森陽坂"
        "生下沢西奈恵江清司部々浩洋郎治成正代晃池もく紀宏広長永前うらん仁あれ宮介だ理"
        "まり斎啓幸康安之孝実福阿雄津さ後敬久利こ士喜青寿日博春拓織希彦内保良亮公衣泰"
        "夏央花浦友行将隆健寛淳ー見昌章聡近遠瀬秀充武二義光尚澤よ雅斉尾嘉修絵岩み新枝"
        "朗昭勝夫典七崇祐嗣亜竹信賀間栄男聖北誠元憲杉篤幹倉剛稔都助河伸そ芳矢有重次哉"
        "輝秋学賢弥塚金結祥け翔俊嶋愛京舞早徳晴規きン世綾翼好古慶靖匡宣記今菜涼華由寺"
        "桃朋市関哲赤征城地出堀柳文至恭や梨ど多倫教茂紘政登ゆ善土深彰達お戸宗麻毅敏神"
        "那零え顕東白緒丈季児基悠浜富海悟佑莉年ス名脇立宇奥比方展沙宜依未月南わち黒廣"
        "穂朝晶暁瑛トね映紗道圭卓丸優馬沼作己惠照仲忠イ眞葉則須乃範龍吏星越つ起能め国"
        "会飯岸米万果畑壮法資勇考巳根熊延梅可克玉八功敦順横じ羽荒ル暢笹妃場砂ゃ誉豪岳"
        "守せ路相斗辰思合通全数辻輔吾分時ッ繁純鳥歌来",
        rb"[\x81-\x83\x88-\x97].|[\xa1-\xdf]",
        13.2,
    ),
    _Language(
        "cp949",
        "하이김지박미정서영연수성은주준윤최우원재유현경조예민강장다승상운혀한진호동오"
        "석고자안전도시권나아신기태비순황송숙소리가임문홍는저보에희규의양세손찬남채배"
        "용을구종백허대병창철로노류요일사선심어차옥훈면해라제균명천겅있를건혜중니그견"
        "식들인곽게여으근광관람웅만번슨후청벙엄과방거마변공완환응혁숭길화스했모부산었"
        "무위와봉춘데효름간역내국것래야표되적당할함솔생피범치련말분까교군란초습회빈계"
        "없애드년입같러개월트",
        rb"[\xa1-\xa3\xb0-\xc8][\xa1-\xfe]",
        12.7,
    ),
    _Language("utf-8"),
)
# Bytes beyond ASCII and their neighbours; the second byte of a character may be ASCII.
_PIECE = re.compile(rb"[\x80-\xff](?:[@-~]?[\x80-\xff]){,4095}[@-~]{,2}")
# Signs of usual texts, and characters beside letters of ASCII.
_MIXED = re.compile(r"(?<=[A-Za-z])[^\0-\x7f]|[^\0-\x7f](?=[A-Za-z])")
_SIGNS = "\xa0“”‘’„«»–—…€°§"


def _guess(data: bytes, named: str) -> str:
    """Return the encoding of bytes that are no UTF-8 and damaged in the named one."""
    sample = b" ".join(_pieces(data))
    known = {language.codec: language for language in _LANGUAGES}
    utf8 = [sign for sign in sample.decode("utf-8", "replace") if not sign.isascii()]
    if not named and utf8.count(_LOST) * 2 <= len(utf8):
        named = "utf-8"
    if named:
        known.setdefault(named, _Language(named))
    bits = {
        codec: _bits(sample, language, _DAMAGED if codec == named else _UNREAD)
        for codec, language in known.items()
    }
    return min(bits, key=lambda codec: bits[codec])


def _pieces(data: bytes) -> Iterator[bytes]:
    size = 0
    for found in _PIECE.finditer(data):
        before = data[found.start() - 1 : found.start()]
        yield before + found[0] if before >= b"@" else found[0]
        size += len(found[0])
        if size > _SAMPLE:
            return


@cache
def _common_bits(language: _Language) -> dict[str, float]:
    """Return the bits of the common characters or pairs of a language."""
    step = 1 if language.usual else 2
    common = language.common
    units = [common[at : at + step] for at in range(0, len(common), step)]
    return {unit: log2(rank) + 2 for rank, unit in enumerate(units, start=8)}


def _bits(sample: bytes, language: _Language, lost: float) -> float:
    """Return the bits that bytes cost as text of a language, with ``lost`` for each
    byte that is not decoded.
    """
    text = sample.decode(language.codec, "replace")
    total = lost * text.count(_LOST)
    text = text.replace(_LOST, " ")
    common = _common_bits(language)
    signs = Counter([sign for sign in text if not sign.isascii()])
    if not language.common:
        read = "".join(signs.elements()).encode(language.codec, "replace")
        return total + _READ * len(read)
    if language.usual or language.codec == "cp1251":  # no words with ASCII
        total += _NEAR * len(_MIXED.findall(text))
    if language.usual:
        for sign, count in signs.items():
            total += count * (common.get(sign) or _rare_bits(sign, language))
        return total
    plain = "".join([sign if sign.isalpha() else " " for sign in text.lower()])
    for pair, count in Counter(map(add, plain, plain[1:])).items():
        if not pair.isascii():
            total += count * (common.get(pair) or _rare_bits(pair, language))
    for sign, count in signs.items():
        usual = _SIGN if sign in _SIGNS else _RARE
        total += count * (-_PAIRED if sign.isalpha() else usual)
    capitals = sum(a.islower() and b.isupper() for a, b in pairwise(text))
    return total + _NEAR * capitals


def _rare_bits(unit: str, language: _Language) -> float:
    if not language.usual:  # a pair; fewer bits if its letter is frequent
        return _UNKNOWN - log2(1 + language.common.count(max(unit))) / 2
    raw = unit.encode(language.codec, "replace")
    return language.bits if re.fullmatch(language.usual, raw, re.DOTALL) else _RARE
