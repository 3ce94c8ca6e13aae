<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;New game…</source>
        <translation>新对局(&amp;N)…</translation>
    </message>
    <message>
        <source>Choose rule, size and players</source>
        <translation>选择规则、棋盘大小和对局双方</translation>
    </message>
    <message>
        <source>&amp;Restart</source>
        <translation>重新开始(&amp;R)</translation>
    </message>
    <message>
        <source>Play again with s&amp;wapped colours</source>
        <translation>交换黑白再来一局(&amp;W)</translation>
    </message>
    <message>
        <source>A new game from this position, with the last players</source>
        <translation>从当前局面开始新对局，双方与上一局相同</translation>
    </message>
    <message>
        <source>R&amp;ated game…</source>
        <translation>等级分对局(&amp;A)…</translation>
    </message>
    <message>
        <source>A game against a level that changes your rating</source>
        <translation>与某一难度的电脑对弈，结果计入等级分</translation>
    </message>
    <message>
        <source>&amp;Your results…</source>
        <translation>我的成绩(&amp;Y)…</translation>
    </message>
    <message>
        <source>&amp;Puzzles</source>
        <translation>做题(&amp;P)</translation>
    </message>
    <message>
        <source>Puzzle o&amp;f the day</source>
        <translation>每日一题(&amp;F)</translation>
    </message>
    <message>
        <source>The same puzzle for everybody, another one each day</source>
        <translation>所有人同一道题，每天一道</translation>
    </message>
    <message>
        <source>Three-minute s&amp;torm</source>
        <translation>三分钟冲刺(&amp;T)</translation>
    </message>
    <message>
        <source>As many puzzles as possible in three minutes</source>
        <translation>三分钟内尽可能多地解题</translation>
    </message>
    <message>
        <source>Puzzles from &amp;my mistakes</source>
        <translation>我的失误题(&amp;M)</translation>
    </message>
    <message>
        <source>Ne&amp;xt puzzle</source>
        <translation>下一题(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Learn from the mistakes</source>
        <translation>从失误中学习(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Open a proof…</source>
        <translation>打开证明(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a game: PSQ, SGF, moves, a position</source>
        <translation>打开棋谱：PSQ、SGF、着法列表、局面</translation>
    </message>
    <message>
        <source>R&amp;ecent games…</source>
        <translation>最近对局(&amp;E)…</translation>
    </message>
    <message>
        <source>All games played in this program</source>
        <translation>在此下过的所有对局</translation>
    </message>
    <message>
        <source>Save the game: PSQ, SGF, JSON or text</source>
        <translation>保存棋谱：PSQ、SGF、JSON 或文本</translation>
    </message>
    <message>
        <source>Save a p&amp;icture…</source>
        <translation>保存图片(&amp;I)…</translation>
    </message>
    <message>
        <source>Resi&amp;gn</source>
        <translation>认输(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Take back</source>
        <translation>悔棋(&amp;T)</translation>
    </message>
    <message>
        <source>Take back your last move and the answer to it</source>
        <translation>收回您的上一手和对方的应手</translation>
    </message>
    <message>
        <source>&amp;Play again</source>
        <translation>恢复(&amp;P)</translation>
    </message>
    <message>
        <source>Play again what was taken back</source>
        <translation>重新下出收回的着法</translation>
    </message>
    <message>
        <source>&amp;Undo: {0}</source>
        <translation>撤销：{0}(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo: {0}</source>
        <translation>重做：{0}(&amp;R)</translation>
    </message>
    <message>
        <source>First s&amp;creen</source>
        <translation>首页(&amp;C)</translation>
    </message>
    <message>
        <source>Play from here</source>
        <translation>从此处开始对局</translation>
    </message>
    <message>
        <source>The 20 en&amp;d games…</source>
        <translation>二十关残局(&amp;D)…</translation>
    </message>
    <message>
        <source>Puzzles that match your rating</source>
        <translation>与您的等级分相当的题目</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save the changes where the game comes from</source>
        <translation>把修改保存到对局的来源</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Take back a &amp;single move</source>
        <translation>悔一手(&amp;S)</translation>
    </message>
    <message>
        <source>Play again a si&amp;ngle move</source>
        <translation>恢复一手(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Copy the position</source>
        <translation>复制局面(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as a p&amp;icture</source>
        <translation>复制为图片(&amp;I)</translation>
    </message>
    <message>
        <source>Copy as a &amp;link</source>
        <translation>复制为链接(&amp;L)</translation>
    </message>
    <message>
        <source>A short text that this program opens and pastes</source>
        <translation>本程序可打开和粘贴的短文本</translation>
    </message>
    <message>
        <source>Copy for &amp;gomocalc.com</source>
        <translation>复制到 gomocalc.com(&amp;G)</translation>
    </message>
    <message>
        <source>An address of a calculator in the web</source>
        <translation>网页计算器的地址</translation>
    </message>
    <message>
        <source>Ma&amp;ke main line</source>
        <translation>设为主线(&amp;K)</translation>
    </message>
    <message>
        <source>The moves to here come first, other lines after them</source>
        <translation>到此为止的着法排在最前，其他变化排在后面</translation>
    </message>
    <message>
        <source>&amp;Delete from here on</source>
        <translation>删除此手及其后续(&amp;D)</translation>
    </message>
    <message>
        <source>Delete the &amp;variation</source>
        <translation>删除此变化(&amp;V)</translation>
    </message>
    <message>
        <source>Co&amp;mment on the position</source>
        <translation>局面注释(&amp;M)</translation>
    </message>
    <message>
        <source>Labels and ma&amp;rks</source>
        <translation>标签和标记(&amp;R)</translation>
    </message>
    <message>
        <source>To the &amp;start</source>
        <translation>到开头(&amp;S)</translation>
    </message>
    <message>
        <source>Look at the start of the game</source>
        <translation>查看对局开头</translation>
    </message>
    <message>
        <source>One move &amp;back</source>
        <translation>后退一手(&amp;B)</translation>
    </message>
    <message>
        <source>Look at the position one move earlier</source>
        <translation>查看前一手的局面</translation>
    </message>
    <message>
        <source>One move &amp;forward</source>
        <translation>前进一手(&amp;F)</translation>
    </message>
    <message>
        <source>Look at the position one move later</source>
        <translation>查看后一手的局面</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>到末尾(&amp;E)</translation>
    </message>
    <message>
        <source>Look at the end of the game</source>
        <translation>查看对局末尾</translation>
    </message>
    <message>
        <source>&amp;Numbers on the stones</source>
        <translation>显示手数(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Coordinates</source>
        <translation>显示坐标(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Rows from the bottom</source>
        <translation>行号自下而上(&amp;R)</translation>
    </message>
    <message>
        <source>Values during pla&amp;y</source>
        <translation>对局中显示形势(&amp;Y)</translation>
    </message>
    <message>
        <source>Show the brain&apos;s values in a game that you play</source>
        <translation>在您参加的对局中显示程序的评估</translation>
    </message>
    <message>
        <source>&amp;Text on the toolbar</source>
        <translation>工具栏显示文字(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>Normal text si&amp;ze</source>
        <translation>默认文字大小(&amp;Z)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全屏(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Hint</source>
        <translation>提示(&amp;H)</translation>
    </message>
    <message>
        <source>Show a good move</source>
        <translation>显示一手好棋</translation>
    </message>
    <message>
        <source>&amp;Move now</source>
        <translation>立即落子(&amp;M)</translation>
    </message>
    <message>
        <source>Let the brain play the best move found so far</source>
        <translation>让程序立刻下出目前找到的着法</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Stop or continue the clocks</source>
        <translation>停止计时，或继续</translation>
    </message>
    <message>
        <source>&amp;Warn before losing moves</source>
        <translation>输棋前警告(&amp;W)</translation>
    </message>
    <message>
        <source>Check your moves for a forced win of the opponent</source>
        <translation>检查您的着法是否让对方必胜</translation>
    </message>
    <message>
        <source>&amp;Tournament…</source>
        <translation>循环赛(&amp;T)…</translation>
    </message>
    <message>
        <source>Show the &amp;analysis</source>
        <translation>显示分析(&amp;A)</translation>
    </message>
    <message>
        <source>Show the e&amp;xplorer</source>
        <translation>显示开局库(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Study board</source>
        <translation>研究棋盘(&amp;S)</translation>
    </message>
    <message>
        <source>Move both sides by hand, without clocks</source>
        <translation>双方都由您落子，不计时</translation>
    </message>
    <message>
        <source>&amp;Edit the position</source>
        <translation>编辑局面(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Analyze</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>Search the position in the background</source>
        <translation>在后台搜索当前局面</translation>
    </message>
    <message>
        <source>&amp;Heat map</source>
        <translation>热力图(&amp;H)</translation>
    </message>
    <message>
        <source>Show the value of every candidate</source>
        <translation>显示每个候选点的价值</translation>
    </message>
    <message>
        <source>&amp;Threats</source>
        <translation>威胁(&amp;T)</translation>
    </message>
    <message>
        <source>Show fours and threes on the board</source>
        <translation>在棋盘上显示四和三</translation>
    </message>
    <message>
        <source>Find a forced &amp;win</source>
        <translation>寻找必胜(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Judge the whole game</source>
        <translation>评判全局(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;Rules</source>
        <translation>规则(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;How to use this window</source>
        <translation>使用说明(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Game</source>
        <translation>对局(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>查看(&amp;V)</translation>
    </message>
    <message>
        <source>E&amp;ngine</source>
        <translation>引擎(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Analysis</source>
        <translation>分析(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新局</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>做题</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>棋局</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Move now</source>
        <translation>立即落子</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Analyze</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Threats</source>
        <translation>威胁</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>全部难度</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Play against t&amp;he proof</source>
        <translation>与证明对弈(&amp;H)</translation>
    </message>
    <message>
        <source>P&amp;aste a position</source>
        <translation>粘贴局面(&amp;A)</translation>
    </message>
    <message>
        <source>S&amp;ettings…</source>
        <translation>设置(&amp;E)…</translation>
    </message>
    <message>
        <source>Forb&amp;idden points (renju)</source>
        <translation>显示禁手点（连珠）(&amp;I)</translation>
    </message>
    <message>
        <source>E&amp;valuation bar</source>
        <translation>形势条(&amp;V)</translation>
    </message>
    <message>
        <source>Soun&amp;d</source>
        <translation>声音(&amp;D)</translation>
    </message>
    <message>
        <source>P&amp;rograms…</source>
        <translation>程序(&amp;R)…</translation>
    </message>
    <message>
        <source>Sho&amp;w the moves</source>
        <translation>显示着法(&amp;W)</translation>
    </message>
    <message>
        <source>Show the &amp;proof</source>
        <translation>显示证明(&amp;P)</translation>
    </message>
    <message>
        <source>Show the lo&amp;g</source>
        <translation>显示日志(&amp;G)</translation>
    </message>
    <message>
        <source>To the next part &amp;of the window</source>
        <translation>转到窗口的下一部分(&amp;O)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>悔棋</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重走</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>End</source>
        <translation>末尾</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>难度(&amp;L)</translation>
    </message>
</context>
<context>
    <name>AnalysisPanel</name>
    <message>
        <source>Analysis is off</source>
        <translation>分析已关闭</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>变化数</translation>
    </message>
    <message>
        <source>Analysis engine</source>
        <translation>由谁分析</translation>
    </message>
    <message>
        <source>The engine that searches for the best lines. The heat map, hints, forced wins and reviews always come from our brain.</source>
        <translation>由哪个引擎寻找最佳变化。各点的价值、提示、必胜和复盘始终由本程序的引擎给出。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Best lines</source>
        <translation>最佳变化</translation>
    </message>
    <message>
        <source>Find a forced win</source>
        <translation>寻找必胜</translation>
    </message>
    <message>
        <source>Judge the whole game</source>
        <translation>评判全局</translation>
    </message>
    <message>
        <source>Threats</source>
        <translation>威胁</translation>
    </message>
    <message>
        <source>Lines:</source>
        <translation>变化数：</translation>
    </message>
    <message>
        <source>{side} to move, depth {depth}-{seldepth}, {nodes} nodes, {speed}/s</source>
        <translation>{side}走棋，深度 {depth}-{seldepth}，{nodes} 节点，{speed}/秒</translation>
    </message>
    <message>
        <source>{0} to move</source>
        <translation>{0}走棋</translation>
    </message>
    <message>
        <source>depth {0}</source>
        <translation>深度 {0}</translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation>{0} 节点</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} 秒</translation>
    </message>
    <message>
        <source>{0} wins at {1}</source>
        <translation>{0}在 {1} 取胜</translation>
    </message>
    <message>
        <source>{0} threatens to win at {1}</source>
        <translation>{0}威胁在 {1} 取胜</translation>
    </message>
    <message>
        <source>Defences: {0}</source>
        <translation>防点：{0}</translation>
    </message>
    <message>
        <source>No threats</source>
        <translation>没有威胁</translation>
    </message>
    <message>
        <source>fours</source>
        <translation>冲四</translation>
    </message>
    <message>
        <source>fours and threes</source>
        <translation>冲四和活三</translation>
    </message>
    <message>
        <source>{0} wins in {1} by {2}: {3}</source>
        <translation>{0}用{2}在 {1}内取胜：{3}</translation>
    </message>
    <message>
        <source>{0} has no win by threats</source>
        <translation>{0}没有连续威胁的必胜</translation>
    </message>
    <message>
        <source>No win found within the time limit</source>
        <translation>在限定时间内没有找到必胜</translation>
    </message>
</context>
<context>
    <name>ArchiveController</name>
    <message>
        <source>Saved in the recent games.</source>
        <translation>已保存到最近的对局。</translation>
    </message>
    <message>
        <source>Another window has changed the game. Your copy is a study beside it in the recent games.</source>
        <translation>另一个窗口已修改此对局。您的副本已作为研究保存在最近的对局中。</translation>
    </message>
    <message>
        <source>The game cannot be saved: {0}</source>
        <translation>无法保存对局：{0}</translation>
    </message>
    <message>
        <source>There is no archive of games.</source>
        <translation>没有对局档案。</translation>
    </message>
    <message>
        <source>Open the game and leave this one?</source>
        <translation>离开本局，打开那一局？</translation>
    </message>
    <message>
        <source>The game cannot be opened: {0}</source>
        <translation>无法打开该局：{0}</translation>
    </message>
</context>
<context>
    <name>ArchiveDialog</name>
    <message>
        <source>Study board</source>
        <translation>研究棋盘</translation>
    </message>
    <message>
        <source>Recent games</source>
        <translation>最近对局</translation>
    </message>
    <message>
        <source>A player&apos;s name</source>
        <translation>棋手姓名</translation>
    </message>
    <message>
        <source>Player</source>
        <translation>棋手</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Any result</source>
        <translation>任何结果</translation>
    </message>
    <message>
        <source>Black won</source>
        <translation>黑胜</translation>
    </message>
    <message>
        <source>White won</source>
        <translation>白胜</translation>
    </message>
    <message>
        <source>Drawn</source>
        <translation>和棋</translation>
    </message>
    <message>
        <source>Unfinished</source>
        <translation>未结束</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Any rule</source>
        <translation>任何规则</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Any date</source>
        <translation>任何日期</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>The last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>The last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>The last year</source>
        <translation>最近一年</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>黑方</translation>
    </message>
    <message>
        <source>White</source>
        <translation>白方</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Games</source>
        <translation>对局</translation>
    </message>
    <message>
        <source>The end of the game</source>
        <translation>终局</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
    <message>
        <source>Export as &amp;SGF…</source>
        <translation>导出为 SGF(&amp;S)…</translation>
    </message>
    <message>
        <source>Export as &amp;PSQ…</source>
        <translation>导出为 PSQ(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>{0} games</source>
        <translation>{0} 局</translation>
    </message>
    <message>
        <source>{0} chosen</source>
        <translation>已选 {0} 局</translation>
    </message>
    <message>
        <source>Delete {0} games for good?</source>
        <translation>永久删除这 {0} 局？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Export as SGF</source>
        <translation>导出为 SGF</translation>
    </message>
    <message>
        <source>A folder for the PSQ files</source>
        <translation>PSQ 文件的文件夹</translation>
    </message>
    <message>
        <source>{0} games were written: {1}</source>
        <translation>已写入 {0} 局：{1}</translation>
    </message>
    <message>
        <source>{0} begin with stones on the board</source>
        <translation>{0} 局以已有棋子的局面开始</translation>
    </message>
</context>
<context>
    <name>BoardWidget</name>
    <message>
        <source>Board</source>
        <translation>棋盘</translation>
    </message>
    <message>
        <source>wall</source>
        <translation>障碍</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空点</translation>
    </message>
    <message>
        <source>forbidden</source>
        <translation>禁手点</translation>
    </message>
    <message>
        <source>No stones yet.</source>
        <translation>还没有棋子。</translation>
    </message>
    <message>
        <source>Last move: {0} {1}.</source>
        <translation>最后一手：{0} {1}。</translation>
    </message>
</context>
<context>
    <name>CommandsDialog</name>
    <message>
        <source>Programs of a file</source>
        <translation>文件中的程序</translation>
    </message>
    <message>
        <source>The file {0} starts these programs, which you have not confirmed. They can do everything that you can do on this computer. Run them only if you trust the file.</source>
        <translation>文件 {0} 会启动下列您尚未确认的程序。它们能在这台电脑上做您能做的一切。请只在信任该文件时运行它们。</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>&amp;Run them</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
</context>
<context>
    <name>CommentBox</name>
    <message>
        <source>Comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>Comment on this position</source>
        <translation>为这个局面写注释</translation>
    </message>
</context>
<context>
    <name>Documents</name>
    <message>
        <source>clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>The name must end in .psq, .sgf, .json or .txt.</source>
        <translation>文件名必须以 .psq、.sgf、.json 或 .txt 结尾。</translation>
    </message>
    <message>
        <source>PSQ holds no stones at the start, and SGF no walls: save it as .json or .txt.</source>
        <translation>PSQ 不能保存开局时的棋子，SGF 不能保存障碍：请存为 .json 或 .txt。</translation>
    </message>
    <message>
        <source>The name must end in .png or .svg.</source>
        <translation>文件名必须以 .png 或 .svg 结尾。</translation>
    </message>
    <message>
        <source>A GIF needs Pillow: pip install pillow</source>
        <translation>保存 GIF 需要 Pillow：pip install pillow</translation>
    </message>
</context>
<context>
    <name>EngineLog</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Commands to the programs (&gt;) and their answers (&lt;)</source>
        <translation>向程序发出的命令（&gt;）和程序的回答（&lt;）</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
</context>
<context>
    <name>EvaluationBar</name>
    <message>
        <source>Black&apos;s winning chance, after an analysis or a review</source>
        <translation>黑方胜率：分析或评判后显示</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>形势</translation>
    </message>
</context>
<context>
    <name>Explorer</name>
    <message>
        <source>Move</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Games</source>
        <translation>对局</translation>
    </message>
    <message>
        <source>Black · = · White</source>
        <translation>黑 · 和 · 白</translation>
    </message>
    <message>
        <source>Book</source>
        <translation>棋书</translation>
    </message>
    <message>
        <source>Moves played here</source>
        <translation>此处下过的着法</translation>
    </message>
    <message>
        <source>Games from set-up positions are not counted.</source>
        <translation>以已有棋子开始的对局不计入。</translation>
    </message>
    <message>
        <source>Rotated and mirrored positions count as the same.</source>
        <translation>棋盘旋转或翻转后的局面视为相同。</translation>
    </message>
    <message>
        <source>No game has reached this position yet.</source>
        <translation>还没有人下到这里。</translation>
    </message>
</context>
<context>
    <name>FileController</name>
    <message>
        <source>Open a game</source>
        <translation>打开棋谱</translation>
    </message>
    <message>
        <source>Games and positions (*.psq *.sgf *.lib *.json *.jsonl *.txt *.pgn *.rif *.xml *.sav *.pos *.rec);;All (*)</source>
        <translation>棋谱和局面 (*.psq *.sgf *.lib *.json *.jsonl *.txt *.pgn *.rif *.xml *.sav *.pos *.rec);;全部 (*)</translation>
    </message>
    <message>
        <source>Reading {0}…</source>
        <translation>正在读取 {0}…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>{0} games of {1} cannot be read: {2}</source>
        <translation>{1} 中有 {0} 局无法读取：{2}</translation>
    </message>
    <message>
        <source>{0} more variations of {1} are not shown.</source>
        <translation>{1} 还有 {0} 个变化没有显示。</translation>
    </message>
    <message>
        <source>{0} cannot be opened: {1}</source>
        <translation>无法打开 {0}：{1}</translation>
    </message>
    <message>
        <source>Several games</source>
        <translation>有多局棋</translation>
    </message>
    <message>
        <source>Which one?</source>
        <translation>选择哪一局？</translation>
    </message>
    <message>
        <source>Several files</source>
        <translation>多个文件</translation>
    </message>
    <message>
        <source>Open the file and leave this game?</source>
        <translation>离开本局，打开文件？</translation>
    </message>
    <message>
        <source>Save the game</source>
        <translation>保存棋谱</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Save a picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>The whole game as an animation</source>
        <translation>整局动画</translation>
    </message>
    <message>
        <source>Writing {0}…</source>
        <translation>正在写入 {0}…</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}</source>
        <translation>无法写入 {0}：{1}</translation>
    </message>
    <message>
        <source>A link cannot hold walls.</source>
        <translation>链接不能包含障碍。</translation>
    </message>
    <message>
        <source>Copied: {0}</source>
        <translation>已复制：{0}</translation>
    </message>
    <message>
        <source>gomocalc.com needs a square board that is empty at first.</source>
        <translation>gomocalc.com 需要正方形且开始时为空的棋盘。</translation>
    </message>
    <message>
        <source>Copied. Choose the size {0} and the rule there: {1}.</source>
        <translation>已复制。请在该网站选择大小 {0} 和规则：{1}。</translation>
    </message>
    <message>
        <source>This is not a position: {0}</source>
        <translation>这不是局面：{0}</translation>
    </message>
    <message>
        <source>Saved: {0}</source>
        <translation>已保存：{0}</translation>
    </message>
    <message>
        <source>The position was copied.</source>
        <translation>局面已复制。</translation>
    </message>
    <message>
        <source>The picture was copied.</source>
        <translation>图片已复制。</translation>
    </message>
    <message>
        <source>Paste the position and leave this game?</source>
        <translation>离开本局，粘贴局面？</translation>
    </message>
</context>
<context>
    <name>FileErrors</name>
    <message>
        <source>Expected: a game as PSQ, SGF or JSON, a list of moves like h8 i9, a picture of a board, or a BOARD block.</source>
        <translation>可以打开：PSQ、SGF 或 JSON 棋谱，如 h8 i9 的着法列表，棋盘图，或 BOARD 块。</translation>
    </message>
    <message>
        <source>it is not a text file.</source>
        <translation>它不是文本文件。</translation>
    </message>
    <message>
        <source>line {0}: </source>
        <translation>第 {0} 行：</translation>
    </message>
    <message>
        <source>there is no such file.</source>
        <translation>没有这个文件。</translation>
    </message>
    <message>
        <source>it is a folder.</source>
        <translation>它是文件夹。</translation>
    </message>
    <message>
        <source>you have no permission to read it.</source>
        <translation>您没有读取权限。</translation>
    </message>
    <message>
        <source>move {0}: there is a stone already.</source>
        <translation>第 {0} 手：此处已有棋子。</translation>
    </message>
    <message>
        <source>there is a stone on {0} already.</source>
        <translation>{0} 上已有棋子。</translation>
    </message>
    <message>
        <source>move {0} is off the board of {1} x {2} cells.</source>
        <translation>第 {0} 手在 {1} x {2} 的棋盘之外。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a move.</source>
        <translation>“{0}”不是着法。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a move of SGF: write two letters, like hh.</source>
        <translation>“{0}”不是 SGF 着法：应为两个字母，如 hh。</translation>
    </message>
    <message>
        <source>a side passes, which is not possible in Gomoku.</source>
        <translation>其中有一方停着：这不是五子棋对局。</translation>
    </message>
    <message>
        <source>a side moves in the other side&apos;s turn.</source>
        <translation>有一方在对方的回合落子。</translation>
    </message>
    <message>
        <source>the board has {0} x {1} cells; possible are 5 to 22 cells a side.</source>
        <translation>棋盘为 {0} x {1}；可用的棋盘边长为 5 到 22。</translation>
    </message>
    <message>
        <source>the picture shows {0} x {1} cells, which is not the size of the board.</source>
        <translation>图示为 {0} x {1} 格，与棋盘大小不符。</translation>
    </message>
    <message>
        <source>SZ[{0}] is not a board size.</source>
        <translation>SZ[{0}] 不是有效的棋盘大小。</translation>
    </message>
    <message>
        <source>it is another game, GM[{0}]; Gomoku is GM[4].</source>
        <translation>这是另一种棋 GM[{0}]；五子棋为 GM[4]。</translation>
    </message>
    <message>
        <source>PL[{0}] is not a side; write B or W.</source>
        <translation>PL[{0}] 不是棋方；应为 B 或 W。</translation>
    </message>
    <message>
        <source>the board changes in the middle of the game.</source>
        <translation>对局中途改动了棋盘。</translation>
    </message>
    <message>
        <source>a game of SGF begins with (;</source>
        <translation>SGF 对局以 (; 开头</translation>
    </message>
    <message>
        <source>{0} has no value, [..].</source>
        <translation>{0} 没有值 [..]。</translation>
    </message>
    <message>
        <source>unexpected character: &quot;{0}&quot;.</source>
        <translation>此处不应有字符“{0}”。</translation>
    </message>
    <message>
        <source>a PSQ file begins like this: Piskvorky 15x15, 11:11, 0</source>
        <translation>PSQ 文件应这样开头：Piskvorky 15x15, 11:11, 0</translation>
    </message>
    <message>
        <source>it is not complete JSON.</source>
        <translation>不是完整的 JSON。</translation>
    </message>
    <message>
        <source>JSON must contain &quot;moves&quot;, or &quot;black&quot; and &quot;white&quot;.</source>
        <translation>JSON 必须含有 &quot;moves&quot;，或 &quot;black&quot; 与 &quot;white&quot;。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; contains {1}, which is not a cell.</source>
        <translation>&quot;{0}&quot; 中的 {1} 不是棋盘上的点。</translation>
    </message>
    <message>
        <source>it is nested too deeply.</source>
        <translation>嵌套层次过深。</translation>
    </message>
    <message>
        <source>the BOARD block has no DONE at its end.</source>
        <translation>BOARD 块末尾缺少 DONE。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not understood.</source>
        <translation>无法理解“{0}”。</translation>
    </message>
    <message>
        <source>there is no game in it.</source>
        <translation>其中没有对局。</translation>
    </message>
</context>
<context>
    <name>GameStarter</name>
    <message>
        <source>Leave the game</source>
        <translation>离开对局</translation>
    </message>
    <message>
        <source>Continue playing</source>
        <translation>继续下</translation>
    </message>
    <message>
        <source>A game is in progress</source>
        <translation>对局正在进行</translation>
    </message>
    <message>
        <source>The game cannot start</source>
        <translation>无法开始对局</translation>
    </message>
    <message>
        <source>It stays in the recent games.</source>
        <translation>它会保留在最近对局中。</translation>
    </message>
    <message>
        <source>Start a new game and leave this one?</source>
        <translation>离开本局，开始新对局？</translation>
    </message>
    <message>
        <source>Start this game again?</source>
        <translation>重新开始这一局？</translation>
    </message>
    <message>
        <source>New game</source>
        <translation>新对局</translation>
    </message>
    <message>
        <source>Change it in this game</source>
        <translation>在本局中更改</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Start a new game at this level, or change the level of this game?</source>
        <translation>用这个难度开始新对局，还是在本局中更改难度？</translation>
    </message>
    <message>
        <source>Leave this game for the puzzle?</source>
        <translation>离开当前对局去解题？</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>## The game

Black and white place stones in turn on the crossings of the lines; black begins. The first player with **five in a row**, along a row, a column or a diagonal, wins. When the board is full, it is a draw.

![five](five)

A **four** needs one more stone, on the circle, for a five. It must be answered at once.

![four](four)

An **open three** becomes a four with two free ends, which no stone can stop. So it must be answered too, at one of its ends or by a four.

![three](three)

## The rules to choose from

- **Freestyle**: five or more win.
- **Standard**: exactly five win; six do not count.
- **Renju**: black wins with exactly five and must not make six or more, two fours or two open threes with one stone. White has no such limits.
- **Caro**: five win unless the opponent stands at both ends; six and more win.
- **Exact caro**: the same, but six and more do not win.

## The fouls of renju

Black must not place a stone on the cross.

**Double three**: two open threes with one stone.

![double-three](double-three)

**Double four**: two fours with one stone.

![double-four](double-four)

**Overline**: six or more in a row.

![overline](overline)

## Swap2

One player places three stones: black, white, black. The other takes black; or stays white; or adds a white and a black stone and leaves the choice of colour to the first. So nobody gains from an opening that favours a colour.
</source>
        <translation>## 对局

黑白双方轮流在线的交叉点上落子，黑先。谁先在横、竖或斜线上**连成五子**，谁就获胜。棋盘下满则为和棋。

![five](five)

**冲四**只差一子（圆圈处）成五，必须立即应对。

![four](four)

**活三**会变成两端都空的四（活四），那时一子已挡不住。所以也必须应对：堵住一端，或用自己的冲四。

![three](three)

## 可选的规则

- **自由规则**：五子或更多即胜。
- **标准规则**：恰好五子才胜；六子不算。
- **连珠**：黑方恰好五子才胜，并且不得一手形成长连、四四或三三。白方没有限制。
- **Caro**：五子获胜，除非两端都被对方堵住；六子及以上也胜。
- **Caro（恰好五子）**：同上，但六子及以上不算。

## 连珠的禁手

黑方不得在叉号处落子。

**三三**：一手形成两个活三。

![double-three](double-three)

**四四**：一手形成两个四。

![double-four](double-four)

**长连**：六子或更多连成一线。

![overline](overline)

## Swap2

一方先放三子：黑、白、黑。另一方可以执黑；或执白；或再放一白一黑，把选择颜色的权利交给先布子的一方。这样，偏向某一方的开局对谁都没有好处。
</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>## Playing

The *First screen* (menu *Game*) offers a game, puzzles, and games to open or study. Click on a crossing, or move the cursor with the arrow keys and press Enter. *Game, New game* chooses rule, size, players and time; *Game, Level* how well the brain plays. *Take back* (Ctrl+Z) takes your move and the answer back. *Hint* (Ctrl+H) leads to a good move in three steps, *Move now* (Ctrl+M) ends the brain&apos;s thinking, *Pause* (Ctrl+P) stops the clocks.

## Looking and trying

Page Up and Page Down, the mouse wheel, the list of moves and the curve step through the game. A stone placed in an earlier position starts a variation; the game itself changes only by *Save*. On the *Study board* (Ctrl+B) you move both sides.

## Analysis

*Analyze* (Ctrl+A) searches in the background: the best lines with their values. Click on a line to see it on the board, double-click to add it as a variation. The *Heat map* shows the winning chance after every candidate in percent; W5 wins in 5 moves of your own, L3 loses to 3 of the opponent. *Threats* shows fours and threes. *Find a forced win* numbers the winning moves on the board. *Judge the whole game* draws the curve and lists the mistakes.

## Learning

A judged game has a list of mistakes; *Learn from the mistakes* (Ctrl+Shift+R) lets you find a better move for each. *Puzzles* (Ctrl+Shift+L, N for the next) match your rating. The *Explorer* shows what was played in the position before.

## Programs

*Engine, Programs* adds any program that speaks the Gomocup/Piskvork protocol; it can then play in a new game, also against another program. The *Log* shows every line of the protocol. When a program fails, the game waits for your decision.

## Files

PSQ, SGF, JSON, lists of moves, pictures of boards and BOARD blocks of the protocol can be opened and pasted. Every game is stored: *Game, Recent games* (Ctrl+Shift+O) shows all of them, and the next start restores the last one.
</source>
        <translation>## 对局

“首页”（菜单“对局”）可以选择对局、做题、打开或研究棋局。点击交叉点，或用方向键移动光标再按回车键落子。*对局 - 新对局* 选择规则、大小、双方和时间；*对局 - 难度* 选择程序的水平。*悔棋*（Ctrl+Z）收回您的一手和应手。*提示*（Ctrl+H）分三步指出好棋，*立即落子*（Ctrl+M）结束程序的思考，*暂停*（Ctrl+P）停止计时。

## 查看和尝试

Page Up、Page Down、鼠标滚轮、着法列表和走势曲线都可以在对局中前后移动。在以前的局面落子会产生变化；只有*保存*才改变对局本身。在*研究棋盘*（Ctrl+B）上双方都由您落子。

## 分析

*分析*（Ctrl+A）在后台搜索：显示最佳变化和评分。点击一个变化可在棋盘上查看，双击则保存为变化。*热力图*显示每个候选点之后的胜率（百分比）；W5 表示自己 5 步获胜，L3 表示对方 3 步获胜。*威胁*显示四和三。*寻找必胜*在棋盘上为取胜着法编号。*评判全局*画出曲线并指出失误。

## 学习

评判过的对局有失误列表；*从失误中学习*（Ctrl+Shift+R）会在每个失误处请您找出更好的着法。*做题*（Ctrl+Shift+L，按 N 下一题）与您的等级分相当。*开局库*显示此局面以前下过的着法。

## 外部程序

*引擎 - 外部程序* 可添加任何支持 Gomocup/Piskvork 协议的程序；之后它可以参加新对局，也可以与另一个程序对局。*日志*显示协议的每一行。程序出错时，对局会等待您的决定。

## 文件

可以打开和粘贴 PSQ、SGF、JSON、着法列表、棋盘图和协议的 BOARD 块。每一局都会保留：*对局、最近对局*（Ctrl+Shift+O）可以找回；最后一局会在下次启动时回到棋盘上。
</translation>
    </message>
    <message>
        <source>## Results and sharing

*Game, Rated game* plays against a level for your Elo rating; *Your results* shows its curve. *Three-minute storm* (Ctrl+Shift+M) and *Puzzle of the day* (Ctrl+D) are two more ways to solve puzzles. *Edit, Copy as a link* makes a short text of the game, which can be pasted here and elsewhere; *Labels and marks* writes on the board.
</source>
        <translation>## 成绩与分享

“对局”菜单中的“等级分对局”与某一难度的电脑对弈，计入您的埃洛等级分；“我的成绩”显示等级分曲线。“三分钟冲刺”（Ctrl+Shift+M）和“每日一题”（Ctrl+D）是另外两种做题方式。“编辑”菜单中的“复制为链接”把对局变成短文本，可在此处或别处粘贴；“标签和标记”在棋盘上做记号。
</translation>
    </message>
    <message>
        <source>## By the keyboard

F6 goes from the board to the message beside it and to the tab, Escape back to the board. Alt+1 to Alt+5 show a tab and go to its list: there the arrow keys go through moves, lines and mistakes, and Enter selects one.
</source>
        <translation>## 键盘操作

按 F6 依次转到棋盘、旁边的提示栏和选项卡，按 Esc 回到棋盘。Alt+1 到 Alt+5 显示相应的选项卡并转到其中的列表：用方向键浏览着法、变化和失误，按回车键选定。
</translation>
    </message>
    <message>
        <source>How to use this window</source>
        <translation>使用说明</translation>
    </message>
    <message>
        <source>## Gomoku Brain {0}

A Gomoku (five in a row) engine and its board. It speaks the protocol of Piskvork and Gomocup.

MIT licence. The window is made with Qt for Python (PySide6, LGPL).
</source>
        <translation>## Gomoku Brain {0}

一个五子棋引擎和它的棋盘。支持 Piskvork 和 Gomocup 的协议。

MIT 许可证。窗口使用 Qt for Python（PySide6，LGPL）制作。
</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
</context>
<context>
    <name>LearningController</name>
    <message>
        <source>No mistake is due today. {0} wait; days until the next: {1}</source>
        <translation>今天没有要复习的失误。等待中：{0}；距下一个的天数：{1}</translation>
    </message>
    <message>
        <source>There are no mistakes to learn from: judge a game first.</source>
        <translation>没有可学习的失误：请先评判一局。</translation>
    </message>
    <message>
        <source>Leave this game for the puzzle?</source>
        <translation>离开当前对局去解题？</translation>
    </message>
</context>
<context>
    <name>MainView</name>
    <message>
        <source>Panel</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>MarkEditor</name>
    <message>
        <source>Triangle</source>
        <translation>三角</translation>
    </message>
    <message>
        <source>Square</source>
        <translation>方块</translation>
    </message>
    <message>
        <source>Circle</source>
        <translation>圆圈</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>叉</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Click to place or to remove: {0}. Every position has its own.</source>
        <translation>点击放置或去除：{0}。每个局面各有自己的标记。</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>全部去除</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>MoveGuard</name>
    <message>
        <source>After {0}, {1} wins by force in {2}, beginning with {3}.</source>
        <translation>走 {0} 之后，{1}在 {2}内必胜，先走 {3}。</translation>
    </message>
    <message>
        <source>Choose another move</source>
        <translation>另选一手</translation>
    </message>
    <message>
        <source>Play it anyway</source>
        <translation>仍然这样走</translation>
    </message>
</context>
<context>
    <name>MoveList</name>
    <message>
        <source>No.</source>
        <translation>手数</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Black wins</source>
        <translation>黑方胜率</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Black&apos;s winning chance</source>
        <translation>黑方胜率</translation>
    </message>
</context>
<context>
    <name>NewGameDialog</name>
    <message>
        <source>New game</source>
        <translation>新对局</translation>
    </message>
    <message>
        <source>no limit per move</source>
        <translation>每手不限时</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>no limit per game</source>
        <translation>全局不限时</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Swap2</source>
        <translation>Swap2</translation>
    </message>
    <message>
        <source>An opening that is fair to both players</source>
        <translation>对双方都公平的开局</translation>
    </message>
    <message>
        <source>Random colours</source>
        <translation>随机分配黑白</translation>
    </message>
    <message>
        <source>The empty board</source>
        <translation>空棋盘</translation>
    </message>
    <message>
        <source>A balanced opening of the book</source>
        <translation>棋书中的平衡开局</translation>
    </message>
    <message>
        <source>Black stones before white&apos;s first move</source>
        <translation>白方第一着之前的黑子数</translation>
    </message>
    <message>
        <source>The limits also apply to people</source>
        <translation>限时也适用于人</translation>
    </message>
    <message>
        <source>A forbidden move loses the game</source>
        <translation>走禁手判负</translation>
    </message>
    <message>
        <source>Otherwise it is refused</source>
        <translation>否则不允许落子</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>棋盘</translation>
    </message>
    <message>
        <source>&amp;Rule:</source>
        <translation>规则(&amp;R)：</translation>
    </message>
    <message>
        <source>Si&amp;ze:</source>
        <translation>大小(&amp;Z)：</translation>
    </message>
    <message>
        <source>&amp;Opening:</source>
        <translation>开局(&amp;O)：</translation>
    </message>
    <message>
        <source>&amp;Handicap:</source>
        <translation>让子(&amp;H)：</translation>
    </message>
    <message>
        <source>Players</source>
        <translation>对局双方</translation>
    </message>
    <message>
        <source>&amp;Black:</source>
        <translation>黑方(&amp;B)：</translation>
    </message>
    <message>
        <source>&amp;White:</source>
        <translation>白方(&amp;W)：</translation>
    </message>
    <message>
        <source>The player of black proposes, then colours are chosen.</source>
        <translation>黑方棋手布子，然后选择颜色。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Per &amp;move:</source>
        <translation>每手(&amp;M)：</translation>
    </message>
    <message>
        <source>Per &amp;game:</source>
        <translation>全局(&amp;G)：</translation>
    </message>
    <message>
        <source>&amp;Added per move:</source>
        <translation>每手加时(&amp;A)：</translation>
    </message>
    <message>
        <source>Levels below full strength answer at once.</source>
        <translation>低于“最强”的难度会立即应手。</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>开始</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>New game…</source>
        <translation>新对局…</translation>
    </message>
    <message>
        <source>Games, results or settings cannot be stored ({0}). Save this game as a file before you leave.</source>
        <translation>无法保存对局、成绩或设置（{0}）。离开前请把本局存为文件。</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>The last game was restored: {0}. Its clocks are stopped.</source>
        <translation>已恢复上次的对局：{0}。时钟已停。</translation>
    </message>
    <message>
        <source>The archive of games was damaged. It was renamed to {0}, and {1} games were recovered.</source>
        <translation>对局档案已损坏，已改名为 {0}；已恢复其中 {1} 局。</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>再来一局</translation>
    </message>
    <message>
        <source>Next puzzle</source>
        <translation>下一题</translation>
    </message>
    <message>
        <source>Swap colours</source>
        <translation>交换黑白</translation>
    </message>
    <message>
        <source>Puzzle {0} is solved.</source>
        <translation>第 {0} 题已解出。</translation>
    </message>
    <message>
        <source>Winner: {0}</source>
        <translation>胜者：{0}</translation>
    </message>
    <message>
        <source>{0} ({1}): {2}. The log (Alt+5) has the details.</source>
        <translation>{0}（{1}）：{2}。详情见日志（Alt+5）。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Another rated game</source>
        <translation>再来一局等级分对局</translation>
    </message>
    <message>
        <source>Your results</source>
        <translation>我的成绩</translation>
    </message>
    <message>
        <source>Review the game</source>
        <translation>复盘</translation>
    </message>
    <message>
        <source>Move {0} decided the game: {1} {2}.</source>
        <translation>第 {0} 手决定了胜负：{1} {2}。</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>给我看</translation>
    </message>
    <message>
        <source>Our brain takes over</source>
        <translation>由本程序接手</translation>
    </message>
    <message>
        <source>I take over</source>
        <translation>由我接手</translation>
    </message>
    <message>
        <source>Count as a loss</source>
        <translation>判负</translation>
    </message>
    <message>
        <source>Swap2: {0} chose {1}. Now black: {2}; white: {3}.</source>
        <translation>Swap2：{0} 选择了{1}。现在黑方：{2}；白方：{3}。</translation>
    </message>
    <message>
        <source>Rated game against {0}: you play {1}. The stones on the board are a balanced opening of the book.</source>
        <translation>与“{0}”的等级分对局：您执{1}。棋盘上的棋子是棋谱库中的平衡开局。</translation>
    </message>
    <message>
        <source>{0} makes the first move after it.</source>
        <translation>接下来由 {0} 先走。</translation>
    </message>
    <message>
        <source>The first move after it is yours.</source>
        <translation>接下来由您先走。</translation>
    </message>
    <message>
        <source>Take black</source>
        <translation>执黑</translation>
    </message>
    <message>
        <source>Stay white</source>
        <translation>执白</translation>
    </message>
    <message>
        <source>Add two stones</source>
        <translation>再放两子</translation>
    </message>
    <message>
        <source>Swap2: which colour do you take?</source>
        <translation>Swap2：您选择哪种颜色？</translation>
    </message>
</context>
<context>
    <name>PlayerBox</name>
    <message>
        <source>A person</source>
        <translation>人</translation>
    </message>
    <message>
        <source>Gomoku Brain, {0}</source>
        <translation>Gomoku Brain，{0}</translation>
    </message>
</context>
<context>
    <name>PlayerCard</name>
    <message>
        <source>Clock</source>
        <translation>棋钟</translation>
    </message>
    <message>
        <source>left for this move</source>
        <translation>本手剩余</translation>
    </message>
    <message>
        <source>left for the game</source>
        <translation>全局剩余</translation>
    </message>
    <message>
        <source>used, no limit</source>
        <translation>已用（不限时）</translation>
    </message>
    <message>
        <source>Time left: it counts down</source>
        <translation>剩余时间：倒计时</translation>
    </message>
    <message>
        <source>Time used: it counts up, without a limit</source>
        <translation>已用时间：正计时，没有限制</translation>
    </message>
</context>
<context>
    <name>PositionEditor</name>
    <message>
        <source>Leave this game for the position editor?</source>
        <translation>离开这局棋去编辑局面吗？</translation>
    </message>
    <message>
        <source>Click to place {0} stones or to remove one. {1} is to move.</source>
        <translation>点击放置{0}棋子或移去棋子。轮到{1}。</translation>
    </message>
    <message>
        <source>Stones: {0}</source>
        <translation>棋子：{0}</translation>
    </message>
    <message>
        <source>To move: {0}</source>
        <translation>轮到：{0}</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>全部移去</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>This is a rated game: nothing is shown until its end.</source>
        <translation>这是等级分对局：终局前不显示。</translation>
    </message>
    <message>
        <source>The proof waits for your answer.</source>
        <translation>证明等待您的答案。</translation>
    </message>
    <message>
        <source>thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>ProgramsDialog</name>
    <message>
        <source>Programs</source>
        <translation>外部程序</translation>
    </message>
    <message>
        <source>No programs yet. Enter a name and a command below, try the program and add it. Then it can play in a new game.</source>
        <translation>还没有程序。在下面填写名称和命令，测试并添加，之后它就可以参加新对局。</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>程序所在文件夹</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>不指定</translation>
    </message>
    <message>
        <source>&amp;Add or change</source>
        <translation>添加或更改(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Try</source>
        <translation>测试(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>名称(&amp;N)：</translation>
    </message>
    <message>
        <source>&amp;Command:</source>
        <translation>命令(&amp;C)：</translation>
    </message>
    <message>
        <source>&amp;Folder:</source>
        <translation>文件夹(&amp;F)：</translation>
    </message>
    <message>
        <source>&amp;Memory:</source>
        <translation>内存(&amp;M)：</translation>
    </message>
    <message>
        <source>T&amp;hreads:</source>
        <translation>线程(&amp;H)：</translation>
    </message>
    <message>
        <source>&amp;INFO keys:</source>
        <translation>INFO 参数(&amp;I)：</translation>
    </message>
    <message>
        <source>Any program that speaks the Gomocup/Piskvork protocol can play. It runs in its own process and cannot harm the game.</source>
        <translation>任何支持 Gomocup/Piskvork 协议的程序都可以对局。它在自己的进程中运行，不会影响对局。</translation>
    </message>
    <message>
        <source>Choose a program</source>
        <translation>选择程序</translation>
    </message>
    <message>
        <source>A program needs a name and a command.</source>
        <translation>程序需要名称和命令。</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>It was added to the list.</source>
        <translation>已加入列表。</translation>
    </message>
    <message>
        <source>the command is invalid</source>
        <translation>命令无效</translation>
    </message>
    <message>
        <source>Fails: {0} ({1})</source>
        <translation>失败：{0}（{1}）</translation>
    </message>
    <message>
        <source>Works: {0}</source>
        <translation>正常：{0}</translation>
    </message>
    <message>
        <source>it gives no information</source>
        <translation>它没有介绍自己</translation>
    </message>
    <message>
        <source>Add {0} to the list of programs?</source>
        <translation>把 {0} 加入程序列表吗？</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Do not add</source>
        <translation>不加入</translation>
    </message>
</context>
<context>
    <name>ProofController</name>
    <message>
        <source>Open a proof</source>
        <translation>打开证明</translation>
    </message>
    <message>
        <source>Proofs (*.proof *.bin);;All (*)</source>
        <translation>证明 (*.proof *.bin);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Leave this game for the proof&apos;s first position?</source>
        <translation>离开本局，查看证明的起始局面？</translation>
    </message>
    <message>
        <source>{0} cannot be opened: {1}</source>
        <translation>无法打开 {0}：{1}</translation>
    </message>
    <message>
        <source>There is no proof to play against, neither for this rule and size nor for freestyle on 15x15. Open a certificate or book that was checked in full, or make one with gomoku-brain prove.</source>
        <translation>没有可以对弈的证明：既没有适用于此规则和棋盘大小的，也没有 15x15 自由规则的。请打开经过完整检验的证书或棋谱库，或用 gomoku-brain prove 制作。</translation>
    </message>
    <message>
        <source>Open a proof…</source>
        <translation>打开证明…</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>Leave this game and play against the proof?</source>
        <translation>离开本局，与证明对弈？</translation>
    </message>
    <message>
        <source>The proof wins, whatever you do. How long can you hold out?</source>
        <translation>无论您怎么下，证明都会获胜。您能坚持多久？</translation>
    </message>
    <message>
        <source>The proof wins against all replies to this move except open ones ({0}). How long can you hold out?</source>
        <translation>除 {0} 种尚未证明的应手外，证明对这手棋的所有应手都能获胜。您能坚持多久？</translation>
    </message>
    <message>
        <source>Your record: {0} stones.</source>
        <translation>您的纪录：{0} 子。</translation>
    </message>
    <message>
        <source>You were not beaten: this game was not in the proof.</source>
        <translation>您没有输：这局棋不在证明之中。</translation>
    </message>
    <message>
        <source>Lost after {0} stones, but your reply is open in the proof: the game does not count.</source>
        <translation>坚持到 {0} 子后落败，但您的应手尚未证明，不计入纪录。</translation>
    </message>
    <message>
        <source>You held out for {0} stones.</source>
        <translation>您坚持到了 {0} 子。</translation>
    </message>
    <message>
        <source>You held out for {0} stones: your record.</source>
        <translation>您坚持到了 {0} 子：新纪录。</translation>
    </message>
    <message>
        <source>You held out for {0} stones; your record is {1}.</source>
        <translation>您坚持到了 {0} 子；您的纪录是 {1} 子。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Review the game</source>
        <translation>复盘</translation>
    </message>
</context>
<context>
    <name>ProofPanel</name>
    <message>
        <source>Reply</source>
        <translation>应手</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回应</translation>
    </message>
    <message>
        <source>Wins in</source>
        <translation>获胜步数</translation>
    </message>
    <message>
        <source>Replies in the proof</source>
        <translation>证明中的应手</translation>
    </message>
    <message>
        <source>Play against it</source>
        <translation>与之对弈</translation>
    </message>
    <message>
        <source>Open a proof…</source>
        <translation>打开证明…</translation>
    </message>
    <message>
        <source>There is no proof for this rule and size. Open one from a file, or make one: see gomoku-brain prove --help.</source>
        <translation>没有适用于此规则和棋盘大小的证明。请从文件打开，或自行制作：参见 gomoku-brain prove --help。</translation>
    </message>
    <message>
        <source>Reading {0}…</source>
        <translation>正在读取 {0}…</translation>
    </message>
    <message>
        <source>This position is not in the proof.</source>
        <translation>这个局面不在证明之中。</translation>
    </message>
    <message>
        <source>The certificate was not checked in full, so nothing is proved. Check it with gomoku-brain prove --check.</source>
        <translation>这份证书尚未经过完整检验，因此什么也没有证明。请用 gomoku-brain prove --check 检验。</translation>
    </message>
    <message>
        <source>It contains {0}.</source>
        <translation>它给出 {0}。</translation>
    </message>
    <message>
        <source>Proved: {0} wins in {1} with {2}.</source>
        <translation>已证明：{0}走 {2}，{1}内获胜。</translation>
    </message>
    <message>
        <source>Proved: {0} wins in {1}, whatever {2} replies.</source>
        <translation>已证明：无论{2}怎么应，{0}在 {1}内获胜。</translation>
    </message>
    <message>
        <source>Proved: {0} wins by fours and threes from here; Find a forced win shows how.</source>
        <translation>已证明：{0}从这里用连续的四和三获胜；“寻找必胜”可以显示着法。</translation>
    </message>
    <message>
        <source>{0} wins with {1} against all replies except open ones ({2}).</source>
        <translation>{0}走 {1} 可胜所有应手，只有 {2} 种尚未证明。</translation>
    </message>
    <message>
        <source>Open replies: {0}. All others lose.</source>
        <translation>{0} 种应手尚未证明，其余都会输。</translation>
    </message>
    <message>
        <source>Open: the result after this reply is not proved yet.</source>
        <translation>未解决：这手应手之后的结果尚未证明。</translation>
    </message>
    <message>
        <source>Any other reply is answered by threats.</source>
        <translation>其他应手都由连续威胁应对。</translation>
    </message>
    <message>
        <source>{0} positions with a move</source>
        <translation>{0} 个有着法的局面</translation>
    </message>
</context>
<context>
    <name>PuzzlesDialog</name>
    <message>
        <source>The 20 end games</source>
        <translation>二十关残局</translation>
    </message>
    <message>
        <source>Black moves and wins; the program defends at full strength. Solved: {0} of {1}</source>
        <translation>黑先胜；程序以最强棋力防守。已解：{0} / {1}</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>{0}: win in {1}</source>
        <translation>{0}：{1}胜</translation>
    </message>
</context>
<context>
    <name>RatedDialog</name>
    <message>
        <source>Rated game</source>
        <translation>等级分对局</translation>
    </message>
    <message>
        <source>Your rating: {0} after {1} rated games.</source>
        <translation>您的等级分：{0}（已下 {1} 局）。</translation>
    </message>
    <message>
        <source>Your game against {0} is not finished: it counts as lost if you start another one.</source>
        <translation>您与“{0}”的对局尚未结束：若另开一局，该局按负计算。</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>等级分</translation>
    </message>
    <message>
        <source>Expected score</source>
        <translation>预期得分</translation>
    </message>
    <message>
        <source>Freestyle 15x15 from a balanced opening of the book, with random colours. Analysis, values and warnings are off until the end, and no move is taken back. A hint and the study board make the game unrated, after a question. Elo&apos;s formula with K = {0}, and {1} in the first {2} games.</source>
        <translation>自由规则 15x15，从棋谱库中的平衡开局开始，黑白随机。终局前关闭分析、评估和警告，也不能悔棋。提示和研究棋盘在确认后使对局不再计分。采用埃洛公式，K = {0}，前 {2} 局为 {1}。</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Continue the open game</source>
        <translation>继续未完的对局</translation>
    </message>
</context>
<context>
    <name>RatedGames</name>
    <message>
        <source>Games cannot be stored now, so they cannot be rated.</source>
        <translation>目前无法保存对局，因此不能计分。</translation>
    </message>
    <message>
        <source>Start a new game and leave this one?</source>
        <translation>离开本局，开始新对局？</translation>
    </message>
    <message>
        <source>Open the game and leave this one?</source>
        <translation>离开本局，打开该对局？</translation>
    </message>
    <message>
        <source>The game is no longer in the archive.</source>
        <translation>该对局已不在存档中。</translation>
    </message>
    <message>
        <source>Rated game</source>
        <translation>等级分对局</translation>
    </message>
    <message>
        <source>This makes the game unrated.</source>
        <translation>这样本局将不再计分。</translation>
    </message>
    <message>
        <source>Keep it rated</source>
        <translation>继续计分</translation>
    </message>
    <message>
        <source>Make it unrated</source>
        <translation>改为不计分</translation>
    </message>
    <message>
        <source>Rated game against {0}: your rating is {1} ({2}).</source>
        <translation>与“{0}”的等级分对局：您的等级分为 {1}（{2}）。</translation>
    </message>
</context>
<context>
    <name>RatingCurve</name>
    <message>
        <source>Curve of your rating</source>
        <translation>等级分曲线</translation>
    </message>
</context>
<context>
    <name>ResultsDialog</name>
    <message>
        <source>Your results</source>
        <translation>我的成绩</translation>
    </message>
    <message>
        <source>Rated games</source>
        <translation>等级分对局</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>难度</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>等级分</translation>
    </message>
    <message>
        <source>won</source>
        <translation>胜</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>和</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>负</translation>
    </message>
    <message>
        <source>No rated games yet: Game, Rated game. The rating begins with {0}.</source>
        <translation>还没有等级分对局：见菜单“对局”中的“等级分对局”。起始分为 {0}。</translation>
    </message>
    <message>
        <source>Your rating against the levels: {0} (Elo). Games: {1}, won {2}, drawn {3}, lost {4}.</source>
        <translation>您与各难度对局的等级分：{0}（埃洛）。对局 {1}，胜 {2}，和 {3}，负 {4}。</translation>
    </message>
    <message>
        <source>Puzzles: rating {0} after {1}, longest streak {2}, puzzles of the day in a row: {3}.</source>
        <translation>做题：等级分 {0}（共 {1} 题），最长连胜 {2}，每日一题连续 {3} 天。</translation>
    </message>
    <message>
        <source>No three-minute storms yet.</source>
        <translation>还没有三分钟冲刺。</translation>
    </message>
    <message>
        <source>Best storms, solved puzzles: {0}.</source>
        <translation>最好的冲刺（解出题数）：{0}。</translation>
    </message>
</context>
<context>
    <name>ReviewList</name>
    <message>
        <source>No.</source>
        <translation>手数</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>Mistake</source>
        <translation>失误</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>失误</translation>
    </message>
    <message>
        <source>&amp;Learn from them</source>
        <translation>从失误中学习(&amp;L)</translation>
    </message>
    <message>
        <source>Find a better move at each mistake</source>
        <translation>在每个失误处找出更好的着法</translation>
    </message>
    <message>
        <source>{0}: accuracy {1} %</source>
        <translation>{0}：准确率 {1} %</translation>
    </message>
    <message>
        <source>No mistakes: well played!</source>
        <translation>没有失误，下得好！</translation>
    </message>
</context>
<context>
    <name>ScoreCurve</name>
    <message>
        <source>Course of the game</source>
        <translation>对局走势</translation>
    </message>
    <message>
        <source>Black&apos;s winning chance, once moves are judged</source>
        <translation>评判着法后显示黑方胜率</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light wood</source>
        <translation>浅色木纹</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Colour-blind safe</source>
        <translation>色盲友好</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>所有规则</translation>
    </message>
    <message>
        <source>Own moves of the winner</source>
        <translation>胜方自己的着数</translation>
    </message>
    <message>
        <source>Plies: moves of both sides</source>
        <translation>手数：双方的每一手</translation>
    </message>
    <message>
        <source>A sound with every stone</source>
        <translation>落子时发声</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>语言(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Colours:</source>
        <translation>配色(&amp;C)：</translation>
    </message>
    <message>
        <source>Your &amp;name:</source>
        <translation>您的名字(&amp;N)：</translation>
    </message>
    <message>
        <source>&amp;Puzzles:</source>
        <translation>题目(&amp;P)：</translation>
    </message>
    <message>
        <source>Length of a &amp;win:</source>
        <translation>取胜长度(&amp;W)：</translation>
    </message>
    <message>
        <source>&amp;Threads of a search:</source>
        <translation>搜索线程数(&amp;T)：</translation>
    </message>
    <message>
        <source>&amp;Memory of a search:</source>
        <translation>搜索内存(&amp;M)：</translation>
    </message>
    <message>
        <source>Games use both from the next game on.</source>
        <translation>对局从下一局起使用这两项。</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Against</source>
        <translation>对手</translation>
    </message>
    <message>
        <source>Your colour</source>
        <translation>您的颜色</translation>
    </message>
    <message>
        <source>You: {0}</source>
        <translation>您执{0}</translation>
    </message>
    <message>
        <source>You: a random colour</source>
        <translation>随机执色</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>To the board</source>
        <translation>回到棋盘</translation>
    </message>
    <message>
        <source>What would you like to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>Continue the game</source>
        <translation>继续对局</translation>
    </message>
    <message>
        <source>Your game</source>
        <translation>您的对局</translation>
    </message>
    <message>
        <source>Play against</source>
        <translation>对局：选择对手</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>做题</translation>
    </message>
    <message>
        <source>Find the moves that win by force.</source>
        <translation>找出必胜的着法。</translation>
    </message>
    <message>
        <source>Open or study</source>
        <translation>打开或研究</translation>
    </message>
    <message>
        <source>Look at games, try moves, let the brain judge them.</source>
        <translation>看棋局，试着法，让程序评判。</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>{0} to move</source>
        <translation>{0}走棋</translation>
    </message>
    <message>
        <source>move {0}</source>
        <translation>第 {0} 手</translation>
    </message>
    <message>
        <source>Step back to study the game, or start a new one.</source>
        <translation>可以后退研究这一局，或开始新的一局。</translation>
    </message>
    <message>
        <source>Paused at an earlier position. Play here for a new line, or continue (Ctrl+P).</source>
        <translation>已在较早的局面暂停。在此落子产生新变化，或按 Ctrl+P 继续。</translation>
    </message>
    <message>
        <source>Paused. Continue with Ctrl+P.</source>
        <translation>已暂停。按 Ctrl+P 继续。</translation>
    </message>
    <message>
        <source>Swap2: place three stones: black, white, black.</source>
        <translation>Swap2：请放三子：黑、白、黑。</translation>
    </message>
    <message>
        <source>Swap2: place two more stones: white, black.</source>
        <translation>Swap2：请再放两子：白、黑。</translation>
    </message>
    <message>
        <source>End game {0}: black to move wins in {1}.</source>
        <translation>第 {0} 关：黑先，{1}内必胜。</translation>
    </message>
    <message>
        <source>End game {0}: the defence sees no forced win of black any more. Take back (Ctrl+Z) to try again.</source>
        <translation>第 {0} 关：防守方已看不到黑方的必胜。可悔棋（Ctrl+Z）重试。</translation>
    </message>
    <message>
        <source>Swap2: a colour is being chosen.</source>
        <translation>Swap2：正在选择颜色。</translation>
    </message>
    <message>
        <source>Your move: click, or use the arrow keys and Enter.</source>
        <translation>轮到您：请点击，或用方向键和回车键。</translation>
    </message>
    <message>
        <source>Rated</source>
        <translation>计分</translation>
    </message>
    <message>
        <source>{0} (black) against {1} (white), move {2}</source>
        <translation>{0}（黑）对 {1}（白），第 {2} 手</translation>
    </message>
    <message>
        <source>Study board: move both sides. Ctrl+Z undoes, Ctrl+S saves.</source>
        <translation>研究棋盘：双方都由您落子。Ctrl+Z 撤销，Ctrl+S 保存。</translation>
    </message>
    <message>
        <source>An earlier position. A stone here is a variation; the game stays.</source>
        <translation>以前的局面。在此落子会成为一个变化；对局不变。</translation>
    </message>
    <message>
        <source>{0} is thinking…</source>
        <translation>{0} 正在思考…</translation>
    </message>
</context>
<context>
    <name>StudyController</name>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Analysis is off</source>
        <translation>分析已关闭</translation>
    </message>
    <message>
        <source>The analysis waits for your answer.</source>
        <translation>等您作答后再分析。</translation>
    </message>
    <message>
        <source>The game is over</source>
        <translation>对局结束</translation>
    </message>
    <message>
        <source>Searching for a good move…</source>
        <translation>正在寻找好棋…</translation>
    </message>
    <message>
        <source>This is a puzzle: find the win yourself, or take a hint.</source>
        <translation>这是一道题：请自己找出必胜，或使用提示。</translation>
    </message>
    <message>
        <source>This is a rated game: no analysis until its end.</source>
        <translation>这是等级分对局：终局前不分析。</translation>
    </message>
    <message>
        <source>Searching for a forced win…</source>
        <translation>正在寻找必胜…</translation>
    </message>
    <message>
        <source>There are no moves to judge.</source>
        <translation>没有可以评判的着法。</translation>
    </message>
    <message>
        <source>Hint: {0} ({1})</source>
        <translation>提示：{0}（{1}）</translation>
    </message>
    <message>
        <source>Again: the column or the row.</source>
        <translation>再按一次：显示所在的列或行。</translation>
    </message>
    <message>
        <source>Look at column {0} or row {1}. Again: the move.</source>
        <translation>请看 {0} 列或第 {1} 行。再按一次：显示着法。</translation>
    </message>
    <message>
        <source>There is a win in {0}.</source>
        <translation>有 {0}内的必胜。</translation>
    </message>
    <message>
        <source>The opponent wins in {0}: hold out as long as you can.</source>
        <translation>对方在 {0}内必胜：请尽量坚持。</translation>
    </message>
    <message>
        <source>You are better: keep the initiative.</source>
        <translation>您占优：保持先手。</translation>
    </message>
    <message>
        <source>You are worse: look at the opponent&apos;s threats.</source>
        <translation>您处于劣势：注意对方的威胁。</translation>
    </message>
    <message>
        <source>The position is balanced: build and block at once.</source>
        <translation>局势均衡：攻守兼顾。</translation>
    </message>
</context>
<context>
    <name>TournamentWindow</name>
    <message>
        <source>Tournament</source>
        <translation>循环赛</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Balanced, from the book</source>
        <translation>棋书中的平衡开局</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Seconds that each side has for a whole game</source>
        <translation>每方整局可用的秒数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Balanced, its final part</source>
        <translation>棋书的终测部分</translation>
    </message>
    <message>
        <source>None: the empty board</source>
        <translation>无：空棋盘</translation>
    </message>
    <message>
        <source>Swap2: by the engines</source>
        <translation>Swap2：由引擎自己开局</translation>
    </message>
    <message>
        <source>The first one against all others</source>
        <translation>第一个对其余所有</translation>
    </message>
    <message>
        <source>Crosstable</source>
        <translation>交叉表</translation>
    </message>
    <message>
        <source>The points and the Elo of each engine stand here.</source>
        <translation>这里显示各引擎的得分和 Elo。</translation>
    </message>
    <message>
        <source>Games</source>
        <translation>对局</translation>
    </message>
    <message>
        <source>Finished games. A double click opens one on the large board.</source>
        <translation>已结束的对局。双击可在大棋盘上打开。</translation>
    </message>
    <message>
        <source>A running game</source>
        <translation>进行中的一局</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Ne&amp;w</source>
        <translation>新建(&amp;W)</translation>
    </message>
    <message>
        <source>Choose engines for another tournament</source>
        <translation>为另一场比赛选择引擎</translation>
    </message>
    <message>
        <source>&amp;Open a tournament…</source>
        <translation>打开循环赛(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Rule:</source>
        <translation>规则(&amp;R)：</translation>
    </message>
    <message>
        <source>Si&amp;ze:</source>
        <translation>大小(&amp;Z)：</translation>
    </message>
    <message>
        <source>Per &amp;move:</source>
        <translation>每手(&amp;M)：</translation>
    </message>
    <message>
        <source>Per gam&amp;e:</source>
        <translation>每局(&amp;E)：</translation>
    </message>
    <message>
        <source>&amp;Added per move:</source>
        <translation>每手加时(&amp;A)：</translation>
    </message>
    <message>
        <source>Pairs of &amp;games:</source>
        <translation>每对双局数(&amp;G)：</translation>
    </message>
    <message>
        <source>Ope&amp;nings:</source>
        <translation>开局(&amp;N)：</translation>
    </message>
    <message>
        <source>Games at &amp;once:</source>
        <translation>同时进行(&amp;O)：</translation>
    </message>
    <message>
        <source>Engines (two or more):</source>
        <translation>参赛者（两个或更多）：</translation>
    </message>
    <message>
        <source>Choose the engines, then press Start.</source>
        <translation>请选择引擎，然后点击“开始”。</translation>
    </message>
    <message>
        <source>A running game is shown here.</source>
        <translation>这里显示正在进行的对局。</translation>
    </message>
    <message>
        <source>Black: {0}
White: {1}</source>
        <translation>黑方：{0}
白方：{1}</translation>
    </message>
    <message>
        <source>Open a tournament</source>
        <translation>打开循环赛</translation>
    </message>
    <message>
        <source>Games of a tournament (*.jsonl);;All (*)</source>
        <translation>循环赛棋谱 (*.jsonl);;全部 (*)</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Playing: {0} of {1} games</source>
        <translation>进行中：{0} / {1} 局</translation>
    </message>
    <message>
        <source>Finished: {0} of {1} games</source>
        <translation>已全部下完：{0} / {1} 局</translation>
    </message>
    <message>
        <source>Paused: {0} of {1} games</source>
        <translation>已暂停：{0} / {1} 局</translation>
    </message>
    <message>
        <source>The programs are not remembered: {0}</source>
        <translation>程序未被记住：{0}</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>Elo</source>
        <translation>等级分</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>得分</translation>
    </message>
</context>
<context>
    <name>Trainer</name>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Skip (N)</source>
        <translation>跳过 (N)</translation>
    </message>
    <message>
        <source>End the storm</source>
        <translation>结束冲刺</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>Next (N)</source>
        <translation>下一题 (N)</translation>
    </message>
    <message>
        <source>Finish (N)</source>
        <translation>结束 (N)</translation>
    </message>
    <message>
        <source>Back to the game</source>
        <translation>回到对局</translation>
    </message>
    <message>
        <source>{0} still wins by force. Find the next move.</source>
        <translation>{0}仍然必胜，请找出下一手。</translation>
    </message>
    <message>
        <source>{0} played {1} here. Find a better move.</source>
        <translation>{0}在此下了 {1}。请找出更好的一着。</translation>
    </message>
    <message>
        <source>{0} to move wins by force. Play it to the end.</source>
        <translation>{0}先行必胜，请走到终局。</translation>
    </message>
    <message>
        <source>Puzzle of the day {0}  ·  {1}  ·  days in a row: {2}</source>
        <translation>每日一题 {0}  ·  {1}  ·  连续天数：{2}</translation>
    </message>
    <message>
        <source>Puzzle rated {0}  ·  your rating {1}  ·  streak {2}</source>
        <translation>题目等级分 {0}  ·  您的等级分 {1}  ·  连对 {2}</translation>
    </message>
    <message>
        <source>This is the last one.</source>
        <translation>这是最后一题。</translation>
    </message>
    <message>
        <source>{0} more to come</source>
        <translation>还有 {0} 题</translation>
    </message>
    <message>
        <source>{0}: checking…</source>
        <translation>{0}：正在检查…</translation>
    </message>
    <message>
        <source>Not {0}: {1} s less.</source>
        <translation>{0} 不对：扣 {1} 秒。</translation>
    </message>
    <message>
        <source>Yes, {0}! {1} answers {2}.</source>
        <translation>对，{0}！{1}应以 {2}。</translation>
    </message>
    <message>
        <source>Not {0}</source>
        <translation>不是 {0}</translation>
    </message>
    <message>
        <source>: {0} answers {1}</source>
        <translation>：{0}应 {1}</translation>
    </message>
    <message>
        <source>. Try again!</source>
        <translation>。再试一次！</translation>
    </message>
    <message>
        <source>Yes, {0}!</source>
        <translation>对，{0}！</translation>
    </message>
    <message>
        <source>Not the puzzle&apos;s position: click to return to it.</source>
        <translation>这不是题目的局面：点击棋盘即可返回。</translation>
    </message>
    <message>
        <source>Your answer: click, or use the arrow keys and Enter.</source>
        <translation>请作答：点击棋盘，或用方向键和回车键。</translation>
    </message>
    <message>
        <source>That was the answer. Press N to continue.</source>
        <translation>这就是答案。按 N 继续。</translation>
    </message>
    <message>
        <source>Try this puzzle first, or take a hint or the answer.</source>
        <translation>请先尝试本题，或查看提示或答案。</translation>
    </message>
    <message>
        <source>Excellent: {0}, at the first attempt!</source>
        <translation>太好了：{0}，一次就找到！</translation>
    </message>
    <message>
        <source>Continuation: {0}</source>
        <translation>后续：{0}</translation>
    </message>
    <message>
        <source>solved {0}  ·  errors {1}  ·  skipped {2}  ·  with help {3}</source>
        <translation>解出 {0}  ·  错误 {1}  ·  跳过 {2}  ·  用提示 {3}</translation>
    </message>
    <message>
        <source>Time is up.</source>
        <translation>时间到。</translation>
    </message>
    <message>
        <source>The storm is over.</source>
        <translation>冲刺结束。</translation>
    </message>
    <message>
        <source>hardest {0}</source>
        <translation>最难 {0}</translation>
    </message>
    <message>
        <source>This is your best storm.</source>
        <translation>这是您最好的一次冲刺。</translation>
    </message>
    <message>
        <source>Your best storms: {0}</source>
        <translation>您最好的冲刺：{0}</translation>
    </message>
    <message>
        <source>Another storm (N)</source>
        <translation>再来一次 (N)</translation>
    </message>
    <message>
        <source>The missed puzzles ({0})</source>
        <translation>没解出的题（{0}）</translation>
    </message>
    <message>
        <source>Look at column {0} or row {1}.</source>
        <translation>看看 {0} 列或第 {1} 行。</translation>
    </message>
    <message>
        <source>It is {0}.</source>
        <translation>是 {0}。</translation>
    </message>
    <message>
        <source>There is a win in {0}: fours, or threes that hold.</source>
        <translation>有 {0}内的必胜：用冲四，或有先手的活三。</translation>
    </message>
    <message>
        <source>You are better here: keep the initiative.</source>
        <translation>您占优：保持先手。</translation>
    </message>
    <message>
        <source>The opponent threatens to win. Where would they play next?</source>
        <translation>对方有威胁：它下一步会走哪里？</translation>
    </message>
    <message>
        <source>It was {0}.</source>
        <translation>答案是 {0}。</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Explorer</source>
        <translation>开局库</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>证明</translation>
    </message>
    <message>
        <source>A rated game: no move is taken back.</source>
        <translation>等级对局中不能悔棋。</translation>
    </message>
    <message>
        <source>Continue playing</source>
        <translation>继续下</translation>
    </message>
    <message>
        <source>A game is in progress</source>
        <translation>对局正在进行</translation>
    </message>
    <message>
        <source>This game cannot be stored for the next start. Save it as a file?</source>
        <translation>本局无法保留到下次启动。要存为文件吗？</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Quit without it</source>
        <translation>不保存并退出</translation>
    </message>
    <message>
        <source>Resign</source>
        <translation>认输</translation>
    </message>
    <message>
        <source>A game is under way: {0}.</source>
        <translation>对局进行中：{0}。</translation>
    </message>
    <message>
        <source>Resign this game?</source>
        <translation>确定认输？</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Black</source>
        <translation>黑方</translation>
    </message>
    <message>
        <source>White</source>
        <translation>白方</translation>
    </message>
    <message>
        <source>Freestyle</source>
        <translation>自由规则</translation>
    </message>
    <message>
        <source>Standard (exactly five)</source>
        <translation>标准规则（恰好五子）</translation>
    </message>
    <message>
        <source>Renju</source>
        <translation>连珠（有禁手）</translation>
    </message>
    <message>
        <source>Caro</source>
        <translation>Caro</translation>
    </message>
    <message>
        <source>Exact caro</source>
        <translation>Caro（恰好五子）</translation>
    </message>
    <message>
        <source>Beginner</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Novice</source>
        <translation>新手</translation>
    </message>
    <message>
        <source>Easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>Casual</source>
        <translation>休闲</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>Skilled</source>
        <translation>熟练</translation>
    </message>
    <message>
        <source>Hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Master</source>
        <translation>大师</translation>
    </message>
    <message>
        <source>Full strength</source>
        <translation>最强</translation>
    </message>
    <message>
        <source>Gomoku Brain, {0}</source>
        <translation>Gomoku Brain，{0}</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>five</source>
        <translation>五连</translation>
    </message>
    <message>
        <source>open four</source>
        <translation>活四</translation>
    </message>
    <message>
        <source>four</source>
        <translation>冲四</translation>
    </message>
    <message>
        <source>open three</source>
        <translation>活三</translation>
    </message>
    <message>
        <source>two threes in line</source>
        <translation>同线双三</translation>
    </message>
    <message>
        <source>blocked three</source>
        <translation>眠三</translation>
    </message>
    <message>
        <source>open two</source>
        <translation>活二</translation>
    </message>
    <message>
        <source>overline</source>
        <translation>长连</translation>
    </message>
    <message>
        <source>double four</source>
        <translation>四四</translation>
    </message>
    <message>
        <source>double three</source>
        <translation>三三</translation>
    </message>
    <message>
        <source>Forbidden to black: an overline (six or more in a row).</source>
        <translation>黑方禁手：长连（六子或更多连成一线）。</translation>
    </message>
    <message>
        <source>Forbidden to black: two fours at once.</source>
        <translation>黑方禁手：四四（同时形成两个四）。</translation>
    </message>
    <message>
        <source>Forbidden to black: two open threes at once.</source>
        <translation>黑方禁手：三三（同时形成两个活三）。</translation>
    </message>
    <message>
        <source>move</source>
        <translation>着法</translation>
    </message>
    <message>
        <source>variation</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>order of the variations</source>
        <translation>变化的顺序</translation>
    </message>
    <message>
        <source>deletion</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>deletion of the marks</source>
        <translation>删除标记</translation>
    </message>
    <message>
        <source>position</source>
        <translation>局面</translation>
    </message>
    <message>
        <source>A draw: the board is full.</source>
        <translation>和棋：棋盘已满。</translation>
    </message>
    <message>
        <source>The game ended without a winner.</source>
        <translation>对局结束，没有胜者。</translation>
    </message>
    <message>
        <source>{winner} made five in a row</source>
        <translation>{winner}连成五子</translation>
    </message>
    <message>
        <source>{loser} made a {foul}</source>
        <translation>{loser}犯了{foul}禁手</translation>
    </message>
    <message>
        <source>{loser} resigned</source>
        <translation>{loser}认输</translation>
    </message>
    <message>
        <source>{loser}&apos;s time is up</source>
        <translation>{loser}超时</translation>
    </message>
    <message>
        <source>{loser}&apos;s program crashed</source>
        <translation>{loser}的程序崩溃了</translation>
    </message>
    <message>
        <source>{loser}&apos;s program did not answer</source>
        <translation>{loser}的程序没有回答</translation>
    </message>
    <message>
        <source>{loser}&apos;s program made an illegal move</source>
        <translation>{loser}的程序下了违规的一手</translation>
    </message>
    <message>
        <source>{winner} wins</source>
        <translation>{winner}胜</translation>
    </message>
    <message>
        <source>You won</source>
        <translation>你赢了</translation>
    </message>
    <message>
        <source>You lost</source>
        <translation>你输了</translation>
    </message>
    <message>
        <source>{0}: {1}.</source>
        <translation>{0}：{1}。</translation>
    </message>
    <message>
        <source>{0}.</source>
        <translation>{0}。</translation>
    </message>
    <message>
        <source>five in a row</source>
        <translation>五连</translation>
    </message>
    <message>
        <source>forbidden move</source>
        <translation>禁手</translation>
    </message>
    <message>
        <source>full board</source>
        <translation>棋盘已满</translation>
    </message>
    <message>
        <source>resigned</source>
        <translation>认输</translation>
    </message>
    <message>
        <source>time</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>crash</source>
        <translation>程序崩溃</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有回答</translation>
    </message>
    <message>
        <source>too much output</source>
        <translation>输出过多</translation>
    </message>
    <message>
        <source>no move in the answer</source>
        <translation>回答中没有着法</translation>
    </message>
    <message>
        <source>command refused</source>
        <translation>拒绝命令</translation>
    </message>
    <message>
        <source>illegal move</source>
        <translation>违规的一手</translation>
    </message>
    <message>
        <source>The game is over.</source>
        <translation>对局已结束。</translation>
    </message>
    <message>
        <source>This point is occupied.</source>
        <translation>这里已经有棋子。</translation>
    </message>
    <message>
        <source>It is the other player&apos;s turn.</source>
        <translation>轮到对方走棋。</translation>
    </message>
    <message>
        <source>The game is paused.</source>
        <translation>对局已暂停。</translation>
    </message>
    <message>
        <source>This point is forbidden to black.</source>
        <translation>这是黑方的禁手点。</translation>
    </message>
    <message>
        <source>Choose a colour first.</source>
        <translation>请先选择颜色。</translation>
    </message>
    <message>
        <source>{0} plies</source>
        <translation>{0} 手</translation>
    </message>
    <message>
        <source>1 move</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>{0} moves</source>
        <translation>{0} 步</translation>
    </message>
    <message>
        <source>wins in {0}</source>
        <translation>{0}内胜</translation>
    </message>
    <message>
        <source>loses in {0}</source>
        <translation>{0}内负</translation>
    </message>
    <message>
        <source>Inaccuracy</source>
        <translation>缓手</translation>
    </message>
    <message>
        <source>Mistake</source>
        <translation>失误</translation>
    </message>
    <message>
        <source>Blunder</source>
        <translation>败着</translation>
    </message>
    <message>
        <source>missed a win in {0} by {1}</source>
        <translation>错过了 {1} 的 {0}必胜</translation>
    </message>
    <message>
        <source>loses in {0}; {1} was better</source>
        <translation>{0}内输棋；{1} 更好</translation>
    </message>
    <message>
        <source>{0} was better</source>
        <translation>{0} 更好</translation>
    </message>
</context>
</TS>
