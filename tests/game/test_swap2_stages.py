"""The machine of the swap2 opening against its rule, played out by hand."""

import pytest

from gomoku_brain.game.swap2_stages import Swap2, counts_after

# numbers of stones of the answers, in turn: (choice, whether the proposer has black)
COURSES = {
    (3, 0): ("swap", False),
    (3, 1): ("stay", True),
    (3, 2, 0): ("two stones, swap", True),
    (3, 2, 1): ("two stones, stay", False),
}


@pytest.mark.parametrize(("answers", "end"), COURSES.items())
def test_the_courses_of_swap2(answers, end):
    opening = Swap2()
    actors = []
    for count in answers:
        assert not opening.is_decided
        assert counts_after(opening.stones) == opening.counts
        assert opening.is_choice is (opening.stones > 0)
        actors.append(opening.proposer_acts)
        opening.take(count)
    assert actors == [True, False, True][: len(answers)]
    assert opening.is_decided
    assert (opening.choice, opening.proposer_is_black) == end
    assert opening.stones == sum(answers)


@pytest.mark.parametrize(("answers", "end"), COURSES.items())
def test_a_person_places_stones_one_by_one(answers, end):
    opening = Swap2()
    for count in answers:
        if opening.is_choice and count < 2:
            opening.choose(black=count == 0)
            continue
        if count == 2:
            opening.offer_two()
            assert opening.stage == "place two"
            assert not opening.proposer_acts
        for _ in range(count):
            opening.place()
    assert (opening.choice, opening.proposer_is_black) == end


@pytest.mark.parametrize(
    ("answers", "wrong"), [((), 0), ((), 2), ((3,), 3), ((3, 2), 2), ((3, 0), 0)]
)
def test_an_answer_that_is_not_due_is_refused_and_changes_nothing(answers, wrong):
    opening = Swap2()
    for count in answers:
        opening.take(count)
    before = vars(opening).copy()
    with pytest.raises(ValueError, match="at the stage"):
        opening.take(wrong)
    assert vars(opening) == before


def test_steps_of_a_person_that_are_not_due_are_refused():
    opening = Swap2()
    for step in (opening.offer_two, lambda: opening.choose(black=True)):
        with pytest.raises(ValueError, match="at the stage"):
            step()
    opening.take(3)
    with pytest.raises(ValueError, match="no stone is due"):
        opening.place()


def test_the_stones_show_the_stage_of_the_protocol():
    counts = {stones: counts_after(stones) for stones in range(7)}
    assert {k: v for k, v in counts.items() if v} == {0: (3,), 3: (0, 1, 2), 5: (0, 1)}
