"""Score scale, for C in ``score.pxd`` and for Python by the same names here."""


def plies_to_end(int score):
    """Return the plies to the end by a score (negative = lost), None if it is not
    proved.
    """
    if is_win(score):
        return WIN - score
    if is_loss(score):
        return -(WIN + score)
    return None
