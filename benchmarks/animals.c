// Random playouts of 13 Animals in C, written by hand: the limit that benchmarks compare with. 2 to 5 seats, default
// options. `natural` is written as one would at first: arrays, a list of the legal answers, a search for sets. `packed`
// is laid out for speed. Both play the games that rulelang plays: the same draws from the same keys in the same order
// (docs/language/10-chance.md), so that game i of a seed has the same answers, length and winners.
// Build: cc -O3 -march=native -shared -fPIC -o animals.so animals.c
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) || defined(__BMI2__)
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;
typedef int64_t i64;

// Mammals are the kinds below MAMMALS, birds those from there to BIRDS; then come three legendary animals and the fox.
enum { KINDS = 13, MAMMALS = 6, BIRDS = 9, FOX = 12 };
enum { CARDS = 68, SEATS = 5, HEAPS = 3, HAND = 10, ROUNDS = 3, NOBODY = -1 };
static const int COPIES[KINDS] = {9, 9, 6, 4, 2, 2, 9, 6, 2, 6, 5, 5, 3};
enum { MOST_EVENTS = 100000 };  // a game that is longer is given up, as rulelang does

// What is told of a game.
typedef struct {
    int given_up, length, decisions;
    int winners;        // a bit for each seat
    int points[SEATS];  // of all rounds
} Result;

// What is told of many games.
typedef struct {
    u64 events, decisions, given_up;
} Totals;

static inline void tell(const Result *result, Totals *totals, Result *results, u64 place) {
    totals->events += (u64)result->length;
    totals->decisions += (u64)result->decisions;
    totals->given_up += (u64)result->given_up;
    if (results) results[place] = *result;
}

// ------------------------------------------------------------------ chance

#define GAMMA 0x9E3779B97F4A7C15ull

static inline u64 scramble(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 mix(u64 key, u64 number) { return scramble(key + (number + 1) * GAMMA); }

// A number below a bound, by the draws of a key.
static u32 below(u64 key, u32 bound) {
    for (u64 drawn = 1;; drawn++) {
        u64 product = (scramble(key + drawn * GAMMA) >> 32) * bound;
        if ((u32)product >= bound || (u32)product >= -bound % bound) return (u32)(product >> 32);
    }
}

// Outcome j of a game draws by mix(key, j), and decision d of a seat by mix(key of the seat, d).
static u64 key_of_seat(u64 key, int seat) { return mix(key, (1ull << 63) + (u64)seat); }

// ------------------------------------------------------------------ sets

static int stars(int *count, int kind, int end, bool whole);

// What is best if a set has been taken out, or what was best so far.
static int better(int best, int worth, int *count, int kind, int end, bool whole) {
    int rest = stars(count, kind, end, whole);
    return rest >= 0 && rest + worth > best ? rest + worth : best;
}

// The most stars that sets bring, of the cards from `kind` to `end`: one class. With `whole` no card may be left over,
// and if there are no such sets it is -1.
static int stars(int *count, int kind, int end, bool whole) {
    while (kind < end && !count[kind]) kind++;
    if (kind == end) return 0;
    int best = -1, cards = count[kind];
    if (!whole) {  // the cards of this kind are left over
        count[kind] = 0;
        best = stars(count, kind + 1, end, whole);
        count[kind] = cards;
    }
    if (end == MAMMALS) {
        if (cards >= 2) {
            count[kind] -= 2;
            best = better(best, 1, count, kind, end, whole);
            count[kind] += 2;
        }
        for (int without = 0; without < MAMMALS; without++) {  // five different ones
            bool there = without != kind;
            for (int k = 0; k < MAMMALS; k++) there &= k == without || count[k] > 0;
            if (!there) continue;
            for (int k = 0; k < MAMMALS; k++) count[k] -= k != without;
            best = better(best, 3, count, kind, end, whole);
            for (int k = 0; k < MAMMALS; k++) count[k] += k != without;
        }
    } else if (end == BIRDS) {
        if (cards >= 3) {
            count[kind] -= 3;
            best = better(best, 1, count, kind, end, whole);
            count[kind] += 3;
        }
        if (count[MAMMALS] && count[MAMMALS + 1] && count[MAMMALS + 2]) {  // three different ones
            for (int k = MAMMALS; k < BIRDS; k++) count[k]--;
            best = better(best, 2, count, kind, end, whole);
            for (int k = MAMMALS; k < BIRDS; k++) count[k]++;
        }
    } else if (kind < FOX) {
        for (int size = 3; size <= 4; size++)  // foxes may stand in, but for one card
            for (int foxes = 0; foxes < size && foxes <= count[FOX]; foxes++) {
                if (size - foxes > cards) continue;
                count[kind] -= size - foxes;
                count[FOX] -= foxes;
                best = better(best, size == 3 ? 1 : 3, count, kind, end, whole);
                count[kind] += size - foxes;
                count[FOX] += foxes;
            }
    }
    return best;
}

// Who has the most points, and of those the most in the last round: a bit for each.
static int champions(int seats, const int *points, const int *last) {
    int best = -1, winners = 0;
    for (int p = 0; p < seats; p++) {
        int mine = points[p] * 256 + last[p];
        if (mine > best) best = mine, winners = 0;
        if (mine == best) winners |= 1 << p;
    }
    return winners;
}

// ------------------------------------------------------------------ natural

typedef struct {
    int seats, starter, active;
    int hand[SEATS][KINDS];   // how many cards of each kind
    int deck[2];              // how many cards; which ones is drawn with them
    int pool[KINDS], unseen;  // what the decks hold together
    int heap[HEAPS][CARDS], height[HEAPS];
    int out;
    bool rainbow;
    u64 key, keys[SEATS], asked[SEATS], outcomes;
    Result result;
} Game;

typedef enum { DRAW, TAKE, GO_OUT, RAINBOW, DISCARD } Move;

typedef struct {
    Move move;
    int card, place;
    bool going_out;
} Answer;

static bool all_in_sets(int *hand) {
    return stars(hand, MAMMALS, BIRDS, true) >= 0 && stars(hand, BIRDS, KINDS, true) >= 0 &&
           stars(hand, 0, MAMMALS, true) >= 0;
}

static int stars_of_hand(int *hand, bool whole) {
    return stars(hand, 0, MAMMALS, whole) + stars(hand, MAMMALS, BIRDS, whole) + stars(hand, BIRDS, KINDS, whole);
}

static int unseen_card(Game *g) {
    g->result.length++;
    int r = (int)below(mix(g->key, g->outcomes++), (u32)g->unseen), kind = 0;
    while (r >= g->pool[kind]) r -= g->pool[kind++];
    g->pool[kind]--;
    g->unseen--;
    return kind;
}

static Answer chosen(Game *g, const Answer *answers, int count) {
    g->result.length++;
    g->result.decisions++;
    u64 key = mix(g->keys[g->active], g->asked[g->active]++);
    return answers[count > 1 ? below(key, (u32)count) : 0];
}

static void set_up_round(Game *g) {
    memset(g->hand, 0, sizeof g->hand);
    memcpy(g->pool, COPIES, sizeof COPIES);
    g->unseen = CARDS;
    for (int n = 0; n < HAND; n++)
        for (int p = 0; p < g->seats; p++) g->hand[(g->starter + p) % g->seats][unseen_card(g)]++;
    for (int h = 0; h < HEAPS; h++) {
        g->heap[h][0] = unseen_card(g);
        g->height[h] = 1;
    }
    g->deck[0] = (g->unseen + 1) / 2;
    g->deck[1] = g->unseen / 2;
    g->out = NOBODY;
    g->rainbow = false;
}

static void draw_step(Game *g) {
    Answer answers[2 + HEAPS];
    int count = 0;
    for (int d = 0; d < 2; d++)
        if (g->deck[d]) answers[count++] = (Answer){DRAW, 0, d, false};
    for (int h = 0; h < HEAPS; h++)
        if (g->height[h]) answers[count++] = (Answer){TAKE, 0, h, false};
    Answer answer = chosen(g, answers, count);
    int card;
    if (answer.move == DRAW) {
        g->deck[answer.place]--;
        card = unseen_card(g);
    } else {
        card = g->heap[answer.place][--g->height[answer.place]];
    }
    g->hand[g->active][card]++;
}

// Says whether somebody goes out.
static bool discard_step(Game *g) {
    Answer answers[2 + KINDS * HEAPS * 2];
    int count = 0, kinds = 0, *hand = g->hand[g->active];
    bool gap = false;
    for (int k = 0; k < KINDS; k++) kinds += hand[k] > 0;
    for (int h = 0; h < HEAPS; h++) gap |= !g->height[h];
    if (all_in_sets(hand)) answers[count++] = (Answer){GO_OUT, 0, 0, true};
    if (kinds == HAND + 1) answers[count++] = (Answer){RAINBOW, 0, 0, true};
    for (int k = 0; k < KINDS; k++) {
        if (!hand[k]) continue;
        hand[k]--;
        bool can_go_out = all_in_sets(hand);
        hand[k]++;
        for (int h = 0; h < HEAPS; h++) {
            if (gap && g->height[h]) continue;
            answers[count++] = (Answer){DISCARD, k, h, false};
            if (can_go_out) answers[count++] = (Answer){DISCARD, k, h, true};
        }
    }
    Answer answer = chosen(g, answers, count);
    if (answer.move == DISCARD) {
        hand[answer.card]--;
        g->heap[answer.place][g->height[answer.place]++] = answer.card;
    }
    if (answer.going_out) g->out = g->active;
    g->rainbow = answer.move == RAINBOW;
    return answer.going_out;
}

static void play_round(Game *g) {
    g->active = g->starter;
    while (g->deck[0] + g->deck[1]) {
        if (g->result.length >= MOST_EVENTS) {
            g->result.given_up = 1;
            return;
        }
        draw_step(g);
        if (discard_step(g)) return;
        g->active = (g->active + 1) % g->seats;
    }
}

static Result natural(int seats, u64 key) {
    Game g = {.seats = seats, .key = key};
    int last[SEATS] = {0};
    for (int p = 0; p < seats; p++) g.keys[p] = key_of_seat(key, p);
    g.result.length++;
    g.starter = (int)below(mix(key, g.outcomes++), (u32)seats);
    for (int round = 1; round <= ROUNDS; round++) {
        set_up_round(&g);
        play_round(&g);
        for (int p = 0; p < seats; p++) {
            bool out = p == g.out;
            last[p] = (out && g.rainbow ? 5 : stars_of_hand(g.hand[p], out)) + (out ? round : 0);
            g.result.points[p] += last[p];
        }
        if (round == ROUNDS) break;
        g.result.length++;  // the table says that the next round begins
        g.result.decisions++;
        g.starter = (g.starter + 1) % seats;
    }
    g.result.winners = champions(seats, g.result.points, last);
    g.result.given_up |= g.result.length > MOST_EVENTS;
    return g.result;
}

void animals_natural(int seats, u64 seed, u64 first, u64 n, Result *results, Totals *totals) {
    memset(totals, 0, sizeof *totals);
    for (u64 i = 0; i < n; i++) {
        Result result = natural(seats, mix(seed, first + i));
        tell(&result, totals, results, i);
    }
}

// ------------------------------------------------------------------ packed: numbers

#define INLINE static inline __attribute__((always_inline))
#define RARE(condition) __builtin_expect(!!(condition), 0)
#define HIDDEN(value) __asm__("" : "+r"(value))  // the compiler cannot know the value: it stays in a register

INLINE u64 extracted(u64 from, u64 mask) {
#ifdef __BMI2__
    return _pext_u64(from, mask);
#else
    u64 found = 0;
    for (int place = 0; mask; mask &= mask - 1, place++) found |= (u64)((from & mask & -mask) != 0) << place;
    return found;
#endif
}

// Where set bit number r of a word is.
INLINE u64 bit_at(u64 word, u64 r) {
#ifdef __BMI2__
    return (u64)__builtin_ctzll(_pdep_u64(1ull << r, word));
#else
    while (r--) word &= word - 1;
    return (u64)__builtin_ctzll(word);
#endif
}

typedef u64 Eight __attribute__((vector_size(64)));
static const Eight STEPS = {1 * GAMMA, 2 * GAMMA, 3 * GAMMA, 4 * GAMMA, 5 * GAMMA, 6 * GAMMA, 7 * GAMMA, 8 * GAMMA};

INLINE Eight scrambled(Eight z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// The first draws, 32 bits each, of eight keys that are not scrambled yet.
INLINE Eight first_draws(Eight keys) { return scrambled(scrambled(keys) + GAMMA) >> 32; }

// ------------------------------------------------------------------ packed: hands

// Four bits count the cards of a kind: mammals in bits 0 to 23, birds in 24 to 35, legendary animals and foxes above.
typedef u64 Hand;
#define EACH 0x1111111111111ull  // the lowest bit of each kind
#define BIRDS_AT 24
#define LEGENDS_AT 36
#define MAMMAL_BITS 0x3377FFull  // bits that can be set for mammals

// What sets bring, by the bits of a class: of the best sets, and of the best that leave no card over.
static u8 mammals_best[1 << 18], birds_best[1 << 12], legends_best[1 << 16];
static u8 mammals_whole[1 << 18], birds_whole[1 << 12], legends_whole[1 << 16];

// Whether the cards of a class divide into sets, or do so without some card of it. Of up to eleven mammals it is enough
// to know of which there is an odd number, the lower six bits, and which are there; NEAR is then only perhaps.
typedef struct {
    u8 mammals[1 << 12], birds[1 << 12], legends[1 << 16];
} Fits;
enum { NOT, NEAR, FIT = 3 };  // the three classes add up to 2 * FIT + NEAR or more if one can go out, or nearly
static Fits fits;

// Three bits for each kind that is there.
INLINE u64 spread(Hand hand) {
    u64 there = (((hand & EACH * 7) + EACH * 7) | hand) & EACH * 8;
    return there - (there >> 3);
}

INLINE int fit(const Fits *known, Hand hand, u64 there) {
    return known->mammals[extracted(hand, EACH & 0xFFFFFF) | extracted(there, EACH & 0xFFFFFF) << 6] +
           known->birds[hand >> BIRDS_AT & 0xFFF] + known->legends[hand >> LEGENDS_AT];
}

static bool divides(Hand hand) { return fit(&fits, hand, spread(hand)) == 3 * FIT; }

// Goes through all cards of a class, eleven at most, and notes what is known of them.
static void note(int *count, int begin, int kind, int end, int left, Hand hand) {
    if (kind < end) {
        for (int n = 0; n <= COPIES[kind] && n <= left; n++) {
            count[kind] = n;
            note(count, begin, kind + 1, end, left - n, hand | (Hand)n << 4 * kind);
        }
        count[kind] = 0;
        return;
    }
    int best = stars(count, begin, end, false), whole = stars(count, begin, end, true);
    u8 how = whole < 0 ? NOT : FIT;
    for (int k = begin; k < end && how == NOT; k++)
        if (count[k]) {
            count[k]--;
            if (stars(count, begin, end, true) >= 0) how = NEAR;
            count[k]++;
        }
    u64 mammals = extracted(hand, MAMMAL_BITS), birds = hand >> BIRDS_AT & 0xFFF, legends = hand >> LEGENDS_AT;
    u64 few = extracted(hand, EACH & 0xFFFFFF) | extracted(spread(hand), EACH & 0xFFFFFF) << 6;
    u8 *best_at = &legends_best[legends], *whole_at = &legends_whole[legends], *fit_at = &fits.legends[legends];
    if (end == BIRDS) best_at = &birds_best[birds], whole_at = &birds_whole[birds], fit_at = &fits.birds[birds];
    if (end == MAMMALS) {
        best_at = &mammals_best[mammals];
        whole_at = &mammals_whole[mammals];
        fit_at = &fits.mammals[few];
    }
    *best_at = (u8)best;
    *whole_at = (u8)(whole < 0 ? 0 : whole);
    if (how > *fit_at) *fit_at = how;
}

__attribute__((constructor)) static void note_all(void) {
    int count[KINDS] = {0};
    note(count, 0, 0, MAMMALS, HAND + 1, 0);
    note(count, MAMMALS, MAMMALS, BIRDS, HAND + 1, 0);
    note(count, BIRDS, BIRDS, KINDS, HAND + 1, 0);
}

// ------------------------------------------------------------------ packed: a round

// Cards lie in four rows: three heaps, and what both decks hold, the next card last. Which deck a card is drawn from
// makes no difference to which card it is. Row 3 begins with a place that is never used, so that no deck leaves a gap.
enum { ROW = 64, DECKS = 3, DRAWN = CARDS + 4 };

typedef struct {
    Hand hand[SEATS];  // from the starter on
    u8 card[4 * ROW];  // each is the place of its bits in a hand
    int starter, out;
    bool rainbow;
    u64 outcomes, key, keys[SEATS], asked[SEATS];
    u64 turns, drawn;  // of a round
} Table;

// Sixteen bytes. That of a kind counts the cards of all kinds up to it.
typedef signed char Sums __attribute__((vector_size(16)));

INLINE int first_kind(Sums above) {
#ifdef __SSE2__
    return __builtin_ctz((unsigned)_mm_movemask_epi8((__m128i)above));
#else
    u64 half[2];
    memcpy(half, &above, sizeof half);
    return half[0] ? __builtin_ctzll(half[0]) / 8 : 8 + __builtin_ctzll(half[1]) / 8;
#endif
}

INLINE Hand hand_of(Sums sums) {
    u64 half[2];
    memcpy(half, &sums, sizeof half);
    u64 low = half[0] - (half[0] << 8), high = half[1] - (half[1] << 8 | half[0] >> 56);
    return extracted(low, 0x0F0F0F0F0F0F0F0Full) | extracted(high, 0x0F0F0F0F0Full) << 32;
}

static const Eight UNSEEN[DRAWN / 8] = {
    {68, 67, 66, 65, 64, 63, 62, 61}, {60, 59, 58, 57, 56, 55, 54, 53}, {52, 51, 50, 49, 48, 47, 46, 45},
    {44, 43, 42, 41, 40, 39, 38, 37}, {36, 35, 34, 33, 32, 31, 30, 29}, {28, 27, 26, 25, 24, 23, 22, 21},
    {20, 19, 18, 17, 16, 15, 14, 13}, {12, 11, 10, 9, 8, 7, 6, 5},      {4, 3, 2, 1, 1, 1, 1, 1},
};

// All cards of a round: which one is drawn when depends on the number of the outcome alone.
INLINE void deal(Table *t, int seats) {
    signed char place[DRAWN];
    for (int i = 0; i < DRAWN; i += 8) {
        Eight product = first_draws(t->key + (t->outcomes + (u64)i) * GAMMA + STEPS) * UNSEEN[i / 8];
        Eight small = (Eight)((product & 0xFFFFFFFF) < UNSEEN[i / 8]);
        u64 some = 0;
        for (int j = 0; j < 8; j++) {
            place[i + j] = (signed char)(product[j] >> 32);
            some |= small[j];
        }
        for (int j = i; RARE(some) && j < i + 8 && j < CARDS; j++)
            place[j] = (signed char)below(mix(t->key, t->outcomes + (u64)j), (u32)(CARDS - j));
    }
    Sums pool = {9, 18, 24, 28, 30, 32, 41, 47, 49, 55, 60, 65, 68, 127, 127, 127}, hands[SEATS] = {{0}};
    int i = 0;
    for (int n = 0; n < HAND; n++)
        for (int p = 0; p < seats; p++) {
            Sums above = (Sums)(pool > place[i++]);  // -1 for the kind of the card and all above it
            pool += above;
            hands[p] -= above;
        }
    for (int p = 0; p < seats; p++) t->hand[p] = hand_of(hands[p]);
    for (int n = 0; i < CARDS; n++) {
        Sums above = (Sums)(pool > place[i]);
        pool += above;
        t->card[n < HEAPS ? n * ROW : DECKS * ROW + CARDS - i] = (u8)(4 * first_kind(above));
        i++;
    }
}

// From where a card is drawn: what is taken from the heights and from the decks, which places are lost if nothing is
// left there, the place of its height, and its row.
typedef struct {
    u64 height, deck, lost;
    u32 at, row;
} Source;
#define DECK(d) {1ull << 16 * DECKS, 1ull << 8 * (d), 0, 16 * DECKS, ROW * DECKS}
#define HEAP(h) {1ull << 16 * (h), 1ull << (16 + 8 * (h)), EACH * 7 ^ EACH << (h), 16 * (h), ROW * (h)}
static const Source SOURCES[2 + HEAPS] = {DECK(0), DECK(1), HEAP(0), HEAP(1), HEAP(2)};

// The product of a decision's draw and a bound, where the first draw may favour a number. Keys are a lap ahead.
static __attribute__((noinline)) u64 drawn_anew(const u64 *key, u32 bound) {
    return (u64)below(scramble(*key - 2 * GAMMA), bound) << 32;
}

// A discard step where one can go out, or nearly. Says whether somebody does.
static __attribute__((noinline)) bool may_go_out(Table *t, int p, Hand hand, u64 key, u64 places, u64 *heights) {
    u64 kinds = spread(hand) & EACH, out = 0;
    for (u64 left = kinds; left; left &= left - 1)
        if (divides(hand - (left & -left))) out |= left & -left;
    u32 all = divides(hand), rainbow = __builtin_popcountll(kinds) == HAND + 1;
    u32 each = (u32)__builtin_popcountll(places);
    u32 ways = each * (u32)(__builtin_popcountll(kinds) + __builtin_popcountll(out));
    u32 r = below(key, all + rainbow + ways);
    t->out = p;
    t->hand[p] = hand;
    if (r < all) return true;
    r -= all;
    t->rainbow = r < rainbow;
    if (t->rainbow) return true;
    r -= rainbow;
    u64 card = kinds & -kinds;
    for (; r >= each * (out & card ? 2 : 1); card = kinds & -kinds) {
        r -= each * (out & card ? 2 : 1);
        kinds &= kinds - 1;
    }
    t->hand[p] = hand - card;
    if (out & card) {
        if (r % 2) return true;
        r /= 2;
    }
    u64 heap = bit_at(places, r), at = 16 * heap;
    t->card[ROW * heap + (*heights >> at & 0xFFFF)] = (u8)__builtin_ctzll(card);
    *heights += 1ull << at;
    t->out = NOBODY;
    return false;
}

INLINE void play(Table *t, int seats) {
    const int width = seats > 4 ? 2 : 1;
    Eight keys[2], ahead[2][2];  // of the next two decisions of each seat; draws are made a lap ahead
    memset(keys, 0, sizeof keys);
    for (int j = 0; j < 2 * seats; j++) {
        int seat = (t->starter + j / 2) % seats;
        keys[j / 8][j % 8] = t->keys[seat] + (t->asked[seat] + 1 + (u64)j % 2) * GAMMA;
    }
    for (int i = 0; i < width; i++) ahead[0][i] = first_draws(keys[i]);
    u64 there[SEATS], stock = (u64)(CARDS - HEAPS - HAND * seats);
    for (int p = 0; p < seats; p++) there[p] = spread(t->hand[p]);
    u64 heights = (stock + 1) << 16 * DECKS | 0x000100010001;  // of the rows, 16 bits each
    u64 decks = (127 + (stock + 1) / 2) | (127 + stock / 2) << 8;  // bit 7 of each is set while cards are left
    u64 unused = 0x8080;  // those bits, of the decks that are not used up
    const Source *sources = SOURCES;
    u32 ways = 2 + HEAPS;
    const Fits *known = &fits;
    HIDDEN(known);
    t->out = NOBODY;
    t->rainbow = false;
    u64 lap;
    int p = 0;
    for (lap = 0; lap < MOST_EVENTS; lap++) {
        for (int i = 0; i < width; i++) {
            keys[i] += 2 * GAMMA;
            ahead[(lap + 1) % 2][i] = first_draws(keys[i]);
        }
        const u64 *draws = (const u64 *)ahead[lap % 2], *next = (const u64 *)keys;
        HIDDEN(draws);
#pragma GCC unroll 5
        for (p = 0; p < seats; p++) {
            u64 product = draws[2 * p] * ways;
            if (RARE((u32)product < ways)) product = drawn_anew(next + 2 * p, ways);
            const Source *source = sources + (product >> 32);
            u64 left = ((heights >> source->at) - 1) & 0xFFFF, card = t->card[source->row + left];
            heights -= source->height;
            decks -= source->deck;
            if (RARE((decks & unused) != unused)) {  // if one deck alone is left, it counts as the second
                if (!(decks & 0x8000)) decks = (decks & 0xFF) << 8;
                sources = ways == 2 + HEAPS ? SOURCES + 1 : NULL;
                unused = sources ? 0x8000 : 0;
                ways--;
            }
            u64 places = EACH * 7 ^ ((u64)((i64)(left - 1) >> 63) & source->lost);
            Hand hand = t->hand[p] + (1ull << card);
            u64 kinds = there[p] | 7ull << card, offered = kinds & places;
            if (RARE(fit(known, hand, kinds) >= 2 * FIT + NEAR || __builtin_popcountll(kinds) == 3 * (HAND + 1))) {
                if (may_go_out(t, p, hand, scramble(next[2 * p + 1] - 2 * GAMMA), places & 7, &heights)) goto over;
                hand = t->hand[p];
            } else {
                u32 count = (u32)__builtin_popcountll(offered);
                product = draws[2 * p + 1] * count;
                if (RARE((u32)product < count)) product = drawn_anew(next + 2 * p + 1, count);
                u64 bit = bit_at(offered, product >> 32), at = 16 * bit & 63;  // card and heap
                hand -= 1ull << (bit & ~3ull);
                t->card[ROW * (bit & 3) + (heights >> at & 0xFFFF)] = (u8)(bit & ~3ull);
                heights += 1ull << at;
            }
            t->hand[p] = hand;
            there[p] = spread(hand);
            if (!sources) goto over;
        }
    }
over:
    t->turns = 0;
    t->drawn = stock + 1 - (heights >> 16 * DECKS);
    for (int j = 0; j < seats; j++) {
        u64 turns = lap + (j <= p);
        t->asked[(t->starter + j) % seats] += 2 * turns;
        t->turns += turns;
    }
}

INLINE Result packed(int seats, u64 key) {
    Table t = {.key = key, .outcomes = 1};
    int last[SEATS], points[SEATS] = {0};
    for (int p = 0; p < seats; p++) t.keys[p] = key_of_seat(key, p);
    t.starter = (int)below(mix(key, 0), (u32)seats);
    u64 length = ROUNDS, decisions = ROUNDS - 1;  // who starts, and between rounds the table
    for (int round = 1; round <= ROUNDS; round++) {
        deal(&t, seats);
        play(&t, seats);
        for (int p = 0; p < seats; p++) {
            u64 mammals = extracted(t.hand[p], MAMMAL_BITS);
            u64 birds = t.hand[p] >> BIRDS_AT & 0xFFF, legends = t.hand[p] >> LEGENDS_AT;
            int found = mammals_best[mammals] + birds_best[birds] + legends_best[legends];
            if (p == t.out) {
                found = mammals_whole[mammals] + birds_whole[birds] + legends_whole[legends];
                found = (t.rainbow ? 5 : found) + round;
            }
            int seat = (t.starter + p) % seats;
            last[seat] = found;
            points[seat] += found;
        }
        u64 seen = (u64)(HAND * seats + HEAPS) + t.drawn;
        t.outcomes += seen;
        length += seen + 2 * t.turns;
        decisions += 2 * t.turns;
        if (++t.starter == seats) t.starter = 0;
    }
    Result result = {length > MOST_EVENTS, (int)length, (int)decisions, champions(seats, points, last), {0}};
    memcpy(result.points, points, sizeof points);
    return result;
}

#define PACKED(seats)                                                                                             \
    static __attribute__((noinline)) void packed##seats(u64 seed, u64 first, u64 n, Result *results, Totals *totals) { \
        for (u64 i = 0; i < n; i++) {                                                                             \
            Result result = packed(seats, mix(seed, first + i));                                                  \
            tell(&result, totals, results, i);                                                                    \
        }                                                                                                         \
    }
PACKED(2)
PACKED(3)
PACKED(4)
PACKED(5)

void animals_packed(int seats, u64 seed, u64 first, u64 n, Result *results, Totals *totals) {
    memset(totals, 0, sizeof *totals);
    switch (seats) {
        case 2: packed2(seed, first, n, results, totals); break;
        case 3: packed3(seed, first, n, results, totals); break;
        case 4: packed4(seed, first, n, results, totals); break;
        case 5: packed5(seed, first, n, results, totals); break;
    }
}
