/** An entry that waits for a price, or a time, to reach its level. */
export type HeapEntry = {
  /** Changed by `move` alone. */
  level: number
  /** Its slot in the heap; -1 once removed. */
  slot: number
}

/** `up` fires at or above its level, `down` at or below. */
export type Direction = 'up' | 'down'

/**
 * Children of each slot. Adjacent keys are cheap to compare, so a flat heap, which moves fewer entries, is faster
 * than a deep one.
 */
const WIDTH = 4

/**
 * An indexed heap of entries, the next to fire on top. Peeking is free, adding and removing take logarithmic time.
 */
export class LevelHeap<Entry extends HeapEntry> {
  readonly #entries: Entry[] = []
  /**
   * Keys by slot, smallest first: comparing them does not access the entries, of which a million are spread over
   * memory.
   */
  readonly #keys: number[] = []
  readonly #direction: Direction

  constructor(direction: Direction) {
    this.#direction = direction
  }

  get size(): number {
    return this.#entries.length
  }

  /** All entries in no particular order, for checks. */
  all(): readonly Entry[] {
    return this.#entries
  }

  /** True when the top entry fires at `value`; then `due` has results. */
  isReachedBy(value: number): boolean {
    return this.#keyAt(0) <= this.#keyOf(value)
  }

  /** All entries that fire at `value`, in no particular order. They stay in the heap. */
  due(value: number): Entry[] {
    const found: Entry[] = []
    const reached = this.#keyOf(value)
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      const entry = this.#entries[slot]
      // Nothing below an entry that does not fire can fire.
      if (!entry || this.#keyAt(slot) > reached) continue
      found.push(entry)
      for (let below = 1; below <= WIDTH; below += 1) slots.push(WIDTH * slot + below)
    }
    return found
  }

  add(entry: Entry): Entry {
    this.#entries.push(entry)
    this.#keys.push(0)
    this.#settle(entry, this.#entries.length - 1)
    return entry
  }

  remove(entry: Entry): void {
    const { slot } = entry
    if (this.#entries[slot] !== entry) return
    entry.slot = -1
    const last = this.#entries.pop()
    this.#keys.pop()
    if (last && last !== entry) this.#settle(last, slot)
  }

  /** Changes the level of an entry of this heap. */
  move(entry: Entry, level: number): void {
    entry.level = level
    this.#settle(entry, entry.slot)
  }

  /** The entry that fires first has the smallest key; a value reaches every key up to its own. */
  #keyOf(level: number): number {
    return this.#direction === 'up' ? level : -level
  }

  /** Infinity beyond the last slot. */
  #keyAt(slot: number): number {
    return this.#keys[slot] ?? Infinity
  }

  /** Places an entry, starting at a free slot. */
  #settle(entry: Entry, free: number): void {
    const key = this.#keyOf(entry.level)
    const risen = this.#rise(key, free)
    this.#place(entry, key, risen < free ? risen : this.#sink(key, free))
  }

  /** Moves larger keys down into the free slot, and returns the slot that is free at the end. */
  #rise(key: number, from: number): number {
    let free = from
    while (free > 0) {
      const parent = Math.floor((free - 1) / WIDTH)
      if (key >= this.#keyAt(parent)) return free
      this.#shift(parent, free)
      free = parent
    }
    return free
  }

  /** The reverse: moves smaller keys up. */
  #sink(key: number, from: number): number {
    for (let free = from; ;) {
      const child = this.#leastBelow(free)
      if (this.#keyAt(child) >= key) return free
      this.#shift(child, free)
      free = child
    }
  }

  #leastBelow(slot: number): number {
    const first = WIDTH * slot + 1
    let least = first
    for (let other = first + 1; other < first + WIDTH; other += 1)
      if (this.#keyAt(other) < this.#keyAt(least)) least = other
    return least
  }

  #shift(from: number, to: number): void {
    const entry = this.#entries[from]
    if (entry) this.#place(entry, this.#keyAt(from), to)
  }

  #place(entry: Entry, key: number, slot: number): void {
    this.#entries[slot] = entry
    this.#keys[slot] = key
    entry.slot = slot
  }
}
