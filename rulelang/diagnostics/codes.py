"""The registry of diagnostics: the only place where a code is born.

A code is `RL` and four digits; the first digit is the stage that finds the mistake. Numbers never move and are never used
again. To add one, write one constant: number, slug, title, and the sentence said to the author, with blanks in braces:

    UNKNOWN_NAME = code("RL3001", "unknown-name", "Unknown name", "Nothing here is called '{word}'.")

Sentences use the words of games and of the author, never those of the parser or of Python. A blank that is filled with an
author's own word stands in quotation marks; a blank for a phrase (`a number`, `the deck`) stands bare. The page of a code
is `docs/diagnostics/<number>.md`.
"""

from string import Formatter
from typing import Final

import attrs

STAGES: Final[dict[str, str]] = {
    "1": "reading",
    "2": "layout and grammar",
    "3": "names",
    "4": "types",
    "5": "visibility",
    "6": "bounds and termination",
    "7": "data tables and options",
    "8": "play",
    "9": "intermediate form and records",
}
"""What the first digit of a number says: the stage that finds the mistake."""


@attrs.frozen
class Code:
    """One kind of mistake. `sentence` is what its message says, with a blank in braces for each word to fill in."""

    number: str
    slug: str
    title: str
    sentence: str

    @property
    def stage(self) -> str:
        """The stage that finds this mistake."""
        return STAGES[self.number[2]]

    @property
    def words(self) -> tuple[str, ...]:
        """The blanks of the sentence, in order, each once."""
        return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(self.sentence) if name))

    @property
    def summary(self) -> str:
        """The sentence with its blanks left open, for lists of all codes."""
        return self.sentence.format(**dict.fromkeys(self.words, "..."))


CODES: Final[dict[str, Code]] = {}
"""Every code by its number."""


def code(number: str, slug: str, title: str, sentence: str) -> Code:
    """Enter a code into the registry. A number already taken is a mistake of ours and stops the import."""
    born = Code(number, slug, title, sentence)
    if number in CODES:
        raise ValueError(f"{number} is taken by {CODES[number].slug}")
    CODES[number] = born
    return born


# fmt: off
# ruff: noqa: E501
# One line a code, in the order of their numbers: this is a table, and reads as one.

# 1: reading files, options, records and the command line ------------------------------------------------------------
FILE_MISSING = code("RL1001", "file-missing", "No such file", "There is no file '{file}'.")
FILE_IS_FOLDER = code("RL1002", "file-is-folder", "Folder instead of file", "'{file}' is a folder, not a file.")
FILE_UNREADABLE = code("RL1003", "file-unreadable", "File cannot be read", "'{file}' cannot be read: {reason}.")
WRONG_ENCODING = code("RL1004", "wrong-encoding", "Not UTF-8", "'{file}' is not UTF-8 text: byte {byte} does not belong there.")
FILE_TOO_LARGE = code("RL1005", "file-too-large", "File too large", "'{file}' has {size} bytes; at most {limit} are read.")
NUL_CHARACTER = code("RL1006", "nul-character", "NUL character", "'{file}' contains a NUL character; it is not a text file.")
TOO_MANY_IMPORTS = code("RL1007", "too-many-imports", "Too many files", "More than {limit} files are brought in.")
IMPORT_OUTSIDE = code("RL1008", "import-outside", "File outside the ruleset", "'{file}' lies outside the ruleset's own folder.")
UNKNOWN_RULESET = code("RL1010", "unknown-ruleset", "Unknown ruleset", "There is no ruleset called '{word}'.")
UNKNOWN_INTERPRETER = code("RL1011", "unknown-interpreter", "Unknown interpreter", "There is no interpreter called '{word}'.")
UNKNOWN_AGENT = code("RL1012", "unknown-agent", "Unknown automatic player", "There is no automatic player called '{word}'.")
BAD_AGENTS_FILE = code("RL1013", "bad-agents-file", "Automatic players cannot be used", "'{file}' cannot be used: {reason}.")
FILE_NOT_WRITTEN = code("RL1014", "file-not-written", "File cannot be written", "'{file}' cannot be written: {reason}.")
FILE_EXISTS = code("RL1015", "file-exists", "Already there", "'{file}' exists already; nothing was written.")
NOT_A_NAME = code("RL1016", "not-a-name", "Not the name of a game", "'{word}' cannot be the name of a game.")
UNKNOWN_LIBRARY = code("RL1017", "unknown-library", "Unknown library", "There is no library '{file}'.")
GAME_OR_LIBRARY = code("RL1018", "game-or-library", "Game and library confused", "'{file}' is a {found}; a {wanted} is needed here.")
MORE_DIAGNOSTICS = code("RL1099", "more-diagnostics", "More mistakes", "{count} more are not shown.")

# 2: layout and grammar -----------------------------------------------------------------------------------------------
TAB_INDENTATION = code("RL2001", "tab-indentation", "Tab at the start of a line", "This line is indented with a tab; use spaces.")
BAD_DEDENT = code("RL2002", "bad-dedent", "Indentation fits no block", "This line is indented less than the block above, but as far as no earlier one.")
MISSING_BLOCK = code("RL2003", "missing-block", "Missing block", "An indented block must follow this line.")
UNEXPECTED_INDENT = code("RL2004", "unexpected-indent", "Unexpected indentation", "This line is indented further than the one above, which opens no block.")
UNCLOSED_BRACKET = code("RL2005", "unclosed-bracket", "Unclosed bracket", "'{bracket}' is never closed.")
UNMATCHED_BRACKET = code("RL2006", "unmatched-bracket", "Unmatched bracket", "'{bracket}' closes nothing that is open.")
UNTERMINATED_TEXT = code("RL2007", "unterminated-text", "Text without an end", "This text has no closing quotation mark on its line.")
UNKNOWN_CHARACTER = code("RL2008", "unknown-character", "Unknown character", "{character} has no meaning here.")
TOO_DEEP = code("RL2009", "too-deep", "Nested too deeply", "This is nested too deeply; at most {limit} levels are allowed.")
TOO_MANY_TOKENS = code("RL2010", "too-many-words", "Too many words", "This file has more than {limit} words and marks.")
NAME_TOO_LONG = code("RL2011", "name-too-long", "Name too long", "This name has {length} characters; at most {limit} are allowed.")
NUMBER_TOO_LARGE = code("RL2012", "number-too-large", "Number too large", "'{number}' does not fit into 64 bits.")
CONFUSABLE_NAME = code("RL2013", "confusable-name", "Confusable name", "'{word}' holds a character that can be taken for another.")
CITATION_INSIDE = code("RL2015", "citation-inside", "Citation inside a line", "A citation stands at the end of a line; more follows this one.")
CITATION_ALONE = code("RL2016", "citation-alone", "Citation without a line", "This citation belongs to no line; put it at the end of one, or deeper below it.")
INDENTED_START = code("RL2017", "indented-start", "Indentation at the start", "The first line of a file begins at the margin.")
STRAY_BRACE = code("RL2018", "stray-brace", "Stray brace in a text", "This brace closes no hole of the text.")
HIDDEN_CHARACTER = code("RL2019", "hidden-character", "Hidden character", "The {character} that stands here cannot be seen.")
UNEXPECTED_WORD = code("RL2020", "unexpected-word", "Unexpected word", "'{word}' is not expected here; {expected}.")
RESERVED_WORD = code("RL2022", "reserved-word", "Reserved word as a name", "'{word}' is a word of the language and cannot be a name.")
GAME_MISSING = code("RL2023", "game-missing", "Game missing", "A file begins with its game: the word 'game', a title and a colon.")
UNFINISHED_LINE = code("RL2024", "unfinished-line", "Line ends too early", "The line ends too early; {expected}.")
GAME_TWICE = code("RL2025", "game-twice", "Second game", "A file describes one game; a second one begins here.")
LATE_REQUIREMENT = code("RL2026", "late-requirement", "Requirement after effects", "Requirements come before effects.")
EACH_IN_REQUIREMENT = code("RL2027", "each-in-requirement", "No single value", "A condition is given single values; 'each' cannot stand here.")
OTHERWISE_NOT_LAST = code("RL2028", "otherwise-not-last", "Otherwise before the last line", "The line with 'otherwise' is the last of its block.")
MISSING_COLON = code("RL2029", "missing-colon", "Missing colon", "A ':' is missing after '{word}'.")
UNKNOWN_DECLARATION = code("RL2030", "unknown-declaration", "Unknown declaration", "'{word}' begins no declaration.")
FOREIGN_WORD = code("RL2031", "foreign-word", "Word of another language", "'{word}' is not a word of the language.")
CAPITAL_WORD = code("RL2032", "capital-word", "Word in capitals", "'{word}' is not a word of the language; its words are written small.")
EQUALS_SIGN = code("RL2033", "equals-sign", "Equals sign", "'{word}' is not how values are compared or changed here.")
OTHERWISE_ALONE = code("RL2034", "otherwise-alone", "Otherwise without if", "This 'otherwise' belongs to no 'if'.")

# 3: names ------------------------------------------------------------------------------------------------------------
UNKNOWN_NAME = code("RL3001", "unknown-name", "Unknown name", "Nothing here is called '{word}'.")
DECLARED_TWICE = code("RL3002", "declared-twice", "Declared twice", "'{word}' is already declared.")
UNKNOWN_SOFT_WORD = code("RL3003", "unknown-word", "Unknown word in this position", "'{word}' is not one of the words that can stand here.")
UNKNOWN_RULE = code("RL3004", "unknown-rule", "Unknown rule", "There is no rule called '{word}'.")
UNKNOWN_MOVE = code("RL3005", "unknown-move", "Unknown move", "There is no move called '{word}'.")
UNKNOWN_FIELD = code("RL3007", "unknown-field", "Unknown field", "{owner} has nothing called '{word}'.")
RECURSIVE_NAME = code("RL3008", "recursive-name", "Defined by itself", "'{word}' is defined by way of itself.")
UNKNOWN_TYPE = code("RL3010", "unknown-type", "Unknown kind of thing", "There is no kind of thing called '{word}'.")
WRONG_SORT_OF_NAME = code("RL3011", "wrong-sort-of-name", "Name of another sort", "'{word}' is {found}; {wanted} is needed here.")
NOT_BUILT_YET = code("RL3014", "not-built-yet", "Specified but not built yet", "{word} is specified in section {section} but not built yet.")
MISSING_DECLARATION = code("RL3015", "missing-declaration", "Something is not declared", "This game does not say {missing}.")
LIBRARY_NEEDS = code("RL3016", "library-needs", "A library lacks a word", "The library '{library}' speaks of '{word}', which this game does not declare.")
GAMES_ONLY = code("RL3017", "games-only", "Not for libraries", "A library holds words that games can use; {what} belongs in a game.")
OFFERED_TWICE = code("RL3018", "offered-twice", "Offered twice", "'{word}' is already offered here.")

# 35: names and lines of play files
UNKNOWN_PLAYER = code("RL3501", "unknown-player", "Unknown player", "Nobody here is called '{word}'.")
UNKNOWN_REASON = code("RL3502", "unknown-reason", "Unknown reason", "Nothing in this game is ever refused as '{word}'.")
FILE_EMPTY_OF_SCENARIOS = code("RL3503", "no-scenario", "No scenario", "This play file holds no scenario.")
SCENARIO_TWICE = code("RL3504", "scenario-twice", "Two scenarios of one name", "Two scenarios of this file are called '{word}'.")
NOT_REACHABLE = code("RL3505", "not-reachable", "Cannot be reached", "Play cannot stand at '{word}': {reason}.")
NOT_A_FACT = code("RL3506", "not-a-fact", "Cannot be given", "This is {found}; only what a zone holds or a marker says can be given.")
SAID_TWICE = code("RL3507", "said-twice", "Said twice", "'{word}' was said before in this scenario.")
NEVER_BY_CHANCE = code("RL3508", "never-by-chance", "Never given by chance", "Chance never gives this in this game.")
NOTHING_CHECKED = code("RL3509", "nothing-checked", "Nothing is checked", "This scenario checks nothing.")
TOO_MANY_ANYTHINGS = code("RL3510", "too-many-anythings", "Two times 'anything' without a number", "Only one 'anything' without a number can stand in a line.")
CITED_BADLY = code("RL3511", "bad-reasons-file", "Table of reasons cannot be read", "'{word}' in '{file}' is no name of a reason with a list of requirements.")
BAD_RULEBOOK = code("RL3512", "bad-rulebook", "List beside the rules cannot be read", "'{file}' cannot be read as it should: {reason}.")
NOT_A_TIME = code("RL3513", "not-a-time", "No such time", "'{word}' is no time of a game; times are seconds up to {limit}, with three decimals at most.")

# 4: types ------------------------------------------------------------------------------------------------------------
TYPE_MISMATCH = code("RL4001", "type-mismatch", "Wrong kind of value", "This is {found}; {wanted} is needed here.")
NOT_A_NUMBER = code("RL4002", "not-a-number", "Not a number", "This is {found}, and one cannot reckon with that.")
WRONG_ARGUMENT_COUNT = code("RL4003", "wrong-argument-count", "Wrong number of values", "'{word}' takes {wanted}, but is given {found}.")
CANNOT_COMPARE = code("RL4004", "cannot-compare", "Cannot be compared", "{left} cannot be compared with {right}.")
NOT_A_COLLECTION = code("RL4005", "not-a-collection", "Not a collection", "This is {found}, which has no members.")
NOT_A_PLACE = code("RL4006", "not-a-place", "Not a place", "This is {found}; {only}.")
WRONG_INDEX = code("RL4007", "wrong-index", "Wrong index", "'{word}' is told apart by {wanted}, not by {found}.")
VALUE_NOT_OF_TYPE = code("RL4009", "value-not-of-type", "Not one of the values", "'{word}' is not one of the values of {wanted}.")
PUT_BETWEEN_KINDS = code("RL4010", "put-between-kinds", "Zones of different kinds", "{found} cannot lie in '{word}', which holds {wanted}.")
NOT_A_CONDITION = code("RL4011", "not-a-condition", "Not a condition", "This is {found}; a condition, true or false, is needed here.")
NOT_CHANGEABLE = code("RL4012", "not-changeable", "Cannot be changed", "'{word}' cannot be changed.")
AMBIGUOUS_VALUE = code("RL4013", "ambiguous-value", "Word for several values", "'{word}' could be {kinds}.")
GROUP_READS_MORE = code("RL4014", "group-reads-more", "Group depends on more than itself", "What makes a group, and what it is worth, depends on more than the group.")
NEVER_NONE = code("RL4015", "always-there", "Always there", "{what} is never '{word}'.")
BRACKETS = code("RL4016", "brackets", "Brackets behind a value", "Brackets choose one of several zones or markers; {what} is {found}.")

# 5: visibility -------------------------------------------------------------------------------------------------------
REQUIREMENT_READS_HIDDEN = code("RL5001", "requirement-reads-hidden", "Requirement reads what is hidden", "This requirement reads '{word}', which {seat} may not see.")
WORDS_READ_HIDDEN = code("RL5002", "words-read-hidden", "Words tell what is hidden", "These words tell '{word}', which {seat} may not see.")
SUBJECT_HIDDEN = code("RL5003", "subject-hidden", "Who may act is hidden", "Who acts here depends on '{word}', which {seat} may not see.")
WAITING_SHOWS_HIDDEN = code("RL5004", "waiting-shows-hidden", "The wait betrays what is hidden", "What the game waits for next depends on '{word}', which {seat} may not see.")
BLIND_PILE_READ = code("RL5005", "blind-pile-read", "Unseen pile read", "'{word}' lies unseen; nothing may depend on what is in it.")
SEEN_BY_READS_HIDDEN = code("RL5006", "seen-by-reads-hidden", "Visibility depends on what is hidden", "Who sees '{word}' depends on something that not all may see.")
CHOICE_LISTS_HIDDEN = code("RL5007", "choice-lists-hidden", "Choice among what is hidden", "These choices come from '{word}', which {seat} may not see.")
SHUFFLED_PILE_SEEN = code("RL5008", "shuffled-pile-seen", "Shuffled pile is seen", "'{word}' is shuffled, but somebody may look into it.")
GATHERED_WHERE_SEEN = code("RL5009", "gathered-where-seen", "Unseen pieces gathered where they are seen", "Some of these pieces may lie unseen in '{pile}'; in '{word}' they would be seen.")
FORCED_CHOICE_TELLS = code("RL5010", "forced-choice-tells", "A choice that resolves itself betrays", "Whether '{move}' leaves a choice depends on '{word}', which {seat} may not see.")
PREFERENCE_READS_HIDDEN = code("RL5011", "preference-reads-hidden", "Preference reads what is hidden", "This preference reads '{word}', which {seat} may not see.")

# 6: bounds and termination -------------------------------------------------------------------------------------------
ENDLESS_LOOP = code("RL6001", "endless-loop", "May never end", "This loop may go round for ever without waiting for anybody.")
RECURSIVE_RULES = code("RL6002", "recursive-rules", "Rules that use each other", "'{word}' uses itself by way of {path}.")
EMPTY_RANGE = code("RL6003", "empty-range", "Empty range", "No number lies in {low}..{high}.")
TOO_LARGE = code("RL6004", "too-large", "Too large", "'{word}' may have {size} members; at most {limit} are allowed.")
TOO_MANY_CHOICES = code("RL6007", "too-many-choices", "Too many choices", "'{word}' has {size} choices; at most {limit} can be numbered.")
NO_BOUND = code("RL6008", "no-bound", "No bound", "{what} must be known before play{why}.")
TOO_MANY_SEATS = code("RL6009", "too-many-seats", "Too many seats", "A game has at most {limit} seats.")
FORMULA_TOO_DEEP = code("RL6010", "formula-too-deep", "Formula nested too deeply", "With the defines it uses, this is nested more than {limit} deep.")
TOO_MANY_OPEN_RULES = code("RL6011", "too-many-open-rules", "Rules in rules in rules", "Up to {count} rules can be open inside each other here; at most {limit} are allowed.")
EMPTY_BOARD = code("RL6012", "empty-board", "Empty board", "'{word}' has {count} {sides}; a board has at least one row and one column.")
NEVER_REACHED = code("RL6013", "never-reached", "Never reached", "Play never comes to this line.")
TIMER_LENGTH = code("RL6014", "timer-length", "No such length of time", "'{word}' runs for {time} milliseconds; a timer runs for 1 to {limit}.")
NOT_RUNNING = code("RL6015", "not-running", "Rule that need not be running", "'{word}' need not be running when play comes here.")
ONLY_THE_END = code("RL6016", "only-the-end", "Only the end of the game", "This cannot stand in a 'whenever': all it does is end the game.")
GAME_GOES_ON = code("RL6017", "game-goes-on", "The game goes on", "This 'whenever' does not end the game on every way.")
RUNS_BY_ITSELF = code("RL6018", "runs-by-itself", "Runs by itself", "'{word}' runs by itself; a 'whenever' is asked after what rules change.")
NEVER_BECOMES_TRUE = code("RL6019", "never-becomes-true", "Never becomes true", "Nothing that this depends on ever changes.")

# 7: data tables and options ------------------------------------------------------------------------------------------
UNKNOWN_OPTION = code("RL7001", "unknown-option", "Unknown option", "There is no option called '{word}'.")
BAD_OPTION_VALUE = code("RL7002", "bad-option-value", "No such choice of an option", "'{word}' cannot be '{value}'.")
OPTION_NEEDS = code("RL7003", "option-needs", "Option needs another", "'{word}' needs {needed}.")
SEATS_NOT_ALLOWED = code("RL7004", "seats-not-allowed", "Wrong number of seats", "This game is for {allowed} seats, not {seats}.")
CONFIGURATION_REFUSED = code("RL7005", "configuration-refused", "Options do not go together", "{reason}.")
REPLACED_TWICE = code("RL7006", "replaced-twice", "Replaced twice", "'{word}' is replaced here and elsewhere, and both can hold at the same time.")
MISSING_COLUMN = code("RL7010", "missing-column", "Missing column", "Row '{row}' has no '{column}'.")
WRONG_DATA_VALUE = code("RL7012", "wrong-data-value", "Wrong value in a table", "'{column}' of row '{row}' is {found}; {wanted} is needed.")
UNKNOWN_ROW = code("RL7013", "unknown-row", "Unknown row", "'{table}' has no row called '{word}'.")
BAD_TOML = code("RL7014", "bad-toml", "Not TOML", "This is not TOML: {reason}.")
UNKNOWN_DATA_FILE = code("RL7015", "unknown-data-file", "Unknown data file", "There is no data file '{file}'.")
UNKNOWN_TABLE = code("RL7016", "unknown-table", "Unknown table", "'{file}' has no table called '{word}'.")
ROW_TWICE = code("RL7019", "row-twice", "Row given twice", "'{table}' has two rows called '{word}'.")
DATA_NOT_NAMED = code("RL7020", "data-not-named", "Data file not named", "'{word}' reads its rows from a data file, but the cover does not name one.")
NOT_ROWS = code("RL7021", "not-rows", "Not rows", "'{word}' in '{file}' is {found}; rows are needed.")
BAD_ROW_NAME = code("RL7022", "bad-row-name", "Not a name", "'{word}' cannot be the name of a row: {reason}.")
UNCLEAR_PROVENANCE = code("RL7023", "unclear-provenance", "Unclear provenance", "It is not clear where '{column}' of row '{row}' comes from: {reason}.")

# 8: play: limits reached and moves that the engine itself refuses ----------------------------------------------------
GAME_OVER = code("RL8001", "game-over", "Game over", "The game is over.")
NOT_YOUR_TURN = code("RL8002", "not-your-turn", "Not your turn", "It is not {seat}'s turn.")
NOT_OFFERED_NOW = code("RL8003", "not-offered-now", "Not now", "'{move}' is not possible now.")
NO_SUCH_MOVE = code("RL8004", "no-such-move", "No such move", "This game has no move called '{move}'.")
BAD_PARAMETER = code("RL8005", "bad-parameter", "No such choice", "'{value}' is not a choice for '{parameter}'.")
NOT_IN_PLACE = code("RL8006", "not-in-place", "Not there", "{value} is not in {zone}.")
COUNTER_OVERFLOW = code("RL8007", "counter-overflow", "Counter out of range", "'{word}' cannot become {value}; it stays within {low}..{high}.")
PIECE_NOT_THERE = code("RL8008", "piece-not-there", "Nothing to take", "{zone} does not hold {value}.")
COST_EXHAUSTED = code("RL8009", "cost-exhausted", "Too much work for one event", "One event cost more than {limit} units.")
STACK_EXHAUSTED = code("RL8010", "stack-exhausted", "Nested too deeply in play", "More than {limit} windows and sub-flows are open at once.")
CAPACITY_EXHAUSTED = code("RL8011", "capacity-exhausted", "Zone full", "{zone} cannot hold more than {limit}.")
NUMBER_OVERFLOW = code("RL8012", "number-overflow", "Number out of range", "A number left the range of 64 bits.")
NO_SUCH_SEAT = code("RL8014", "no-such-seat", "No such seat", "This game has no seat {seat}.")
TOO_MANY_MOVES = code("RL8015", "too-many-moves", "Too many moves to list", "More than {limit} moves are possible; answer part by part.")
RESAMPLE_REFUSED = code("RL8016", "resample-refused", "Cannot be dealt anew", "The hidden cards cannot be dealt anew here: {reason}.")
UNDO_REFUSED = code("RL8017", "undo-refused", "Cannot be taken back", "This cannot be taken back: {reason}.")
WRONG_EVENT = code("RL8018", "wrong-event", "Not what the game waits for", "The game waits for {wanted}, not for {found}.")
STATE_EXHAUSTED = code("RL8020", "state-exhausted", "State too large", "The state has more than {limit} bytes.")
ALREADY_ANSWERED = code("RL8021", "already-answered", "Already answered", "Seat {seat} has already answered.")
DEAD_END = code("RL8022", "dead-end", "Nothing is possible", "Seat {seat} must move, and no move is possible.")
NOT_LOWERED = code("RL8023", "not-lowered", "No form for the native interpreter", "The native interpreter has no form for {rule}: {reason}. With '--engine reference' it can be played.")
TIME_GOES_BACK = code("RL8024", "time-goes-back", "Time goes back", "It is {now} ms already, not {time} ms.")
TIMER_RUNS_OUT = code("RL8025", "timer-runs-out", "A timer runs out before", "'{timer}' runs out at {time} ms, before this.")
NO_SUCH_TIME = code("RL8026", "no-such-time", "No such moment", "{time} ms is no time of a game; the last is {limit} ms.")
NO_TREE = code("RL8027", "no-tree", "No tree", "Trees are not counted for games with {what}.")
GAME_TOO_LONG = code("RL8028", "game-too-long", "Game too long", "{game} is not over after {limit} events.")

# 9: intermediate form and records ------------------------------------------------------------------------------------
BAD_JSON = code("RL9001", "bad-json", "Not JSON", "This is not JSON: {reason}.")
DUPLICATE_KEY = code("RL9002", "duplicate-key", "Key given twice", "'{key}' is given twice in one object.")
FLOAT_FOUND = code("RL9003", "float-found", "Number with a fraction", "{number} is not a whole number.")
WRONG_KIND = code("RL9004", "wrong-kind", "Wrong kind", "{path} is of kind {found}; {wanted} is needed.")
MISSING_FIELD = code("RL9005", "missing-field", "Missing field", "{path} has no '{field}'.")
SURPLUS_FIELD = code("RL9006", "surplus-field", "Field that does not belong there", "{path} has '{field}', which does not belong there.")
WRONG_VERSION = code("RL9007", "wrong-version", "Wrong version", "This is version {found}; versions up to {wanted} can be read.")
DOES_NOT_VERIFY = code("RL9008", "does-not-verify", "Not a sound program", "{path}: {reason}.")
JSON_TOO_DEEP = code("RL9009", "json-too-deep", "Document nested too deeply", "Objects and lists are nested more than {limit} deep.")
WRONG_FIELD_VALUE = code("RL9011", "wrong-field-value", "Wrong value", "{path} is {found}; {wanted} is needed.")
JSON_TOO_LARGE = code("RL9012", "json-too-large", "Document too large", "The document has more than {limit} bytes.")
DAMAGED_LINE = code("RL9020", "damaged-line", "Damaged record", "Line {line} of the record is damaged: {reason}.")
WRONG_GAME = code("RL9021", "wrong-game", "Record of another game", "This record belongs to {found}, not to {wanted}.")
RECORD_TOO_LONG = code("RL9022", "record-too-long", "Record too long", "The record has more than {limit} events.")
RECORD_DIVERGES = code("RL9023", "record-diverges", "Record cannot be replayed", "Event {number} of the record is not possible: {reason}.")
DAMAGED_STATE = code("RL9024", "damaged-state", "Damaged state", "This is not a saved state of this game: {reason}.")
TORN_RECORD = code("RL9025", "torn-record", "Record broken off", "The last line of the record, {line}, is torn off; everything before it is whole.")
RECORD_NOT_WRITTEN = code("RL9026", "record-not-written", "Record cannot be written", "'{file}' cannot be written: {reason}.")
IMPOSSIBLE_POSITION = code("RL9027", "impossible-position", "Impossible position", "Nothing can lie like this in this game: {reason}.")
# fmt: on
