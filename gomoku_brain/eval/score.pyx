"""The score scale, for C by score.pxd and for Python by the same names here."""


def plies_to_end(int score):
    """Plies to the end that a score tells (negative = lost), None when unproved."""
    if is_win(score):
        return WIN - score
    if is_loss(score):
        return -(WIN + score)
    return None
