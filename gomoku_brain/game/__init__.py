"""The game itself: rules, board, patterns, fouls. It contains no judgement of
positions.
"""
