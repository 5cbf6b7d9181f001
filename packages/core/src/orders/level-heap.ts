/** Something that waits for a price, or for a time, to reach its level. */
export type Mark = {
  /** Changed by `move` alone. */
  level: number
  /** Where it sits in its heap; -1 once removed. */
  slot: number
}

/** `up` fires at or above its level, `down` at or below. */
export type Direction = 'up' | 'down'

/** Slots below each slot. Keys side by side are cheap to compare, so a flat heap, which moves fewer marks, is faster than a deep one. */
const WIDTH = 4

/**
 * Marks sorted so that the next to fire is on top: an indexed heap. Looking costs nothing, adding and removing
 * cost the logarithm of the size.
 */
export class LevelHeap<M extends Mark> {
  readonly #marks: M[] = []
  /** By slot, what comes first the least: comparing them touches no mark, of which a million lie all over the memory. */
  readonly #keys: number[] = []
  readonly #direction: Direction

  constructor(direction: Direction) {
    this.#direction = direction
  }

  get size(): number {
    return this.#marks.length
  }

  /** Every mark, in no order: for checking, not for deciding. */
  all(): readonly M[] {
    return this.#marks
  }

  /** True when the top mark fires at `value`; then `due` is worth asking. */
  isReachedBy(value: number): boolean {
    return this.#keyAt(0) <= this.#keyOf(value)
  }

  /** Every mark that fires at `value`, in no order. They stay in the heap. */
  due(value: number): M[] {
    const found: M[] = []
    const reached = this.#keyOf(value)
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      const mark = this.#marks[slot]
      // Below a mark that does not fire nothing can: the heap's own order ends the walk.
      if (!mark || this.#keyAt(slot) > reached) continue
      found.push(mark)
      for (let below = 1; below <= WIDTH; below += 1) slots.push(WIDTH * slot + below)
    }
    return found
  }

  add(mark: M): M {
    this.#marks.push(mark)
    this.#keys.push(0)
    this.#settle(mark, this.#marks.length - 1)
    return mark
  }

  remove(mark: M): void {
    const { slot } = mark
    if (this.#marks[slot] !== mark) return
    mark.slot = -1
    const last = this.#marks.pop()
    this.#keys.pop()
    if (last && last !== mark) this.#settle(last, slot)
  }

  /** Lets a mark of this heap wait for another level. */
  move(mark: M, level: number): void {
    mark.level = level
    this.#settle(mark, mark.slot)
  }

  /** What fires first has the least; a value reaches every key up to its own. */
  #keyOf(level: number): number {
    return this.#direction === 'up' ? level : -level
  }

  /** Beyond the last slot nothing comes before anything. */
  #keyAt(slot: number): number {
    return this.#keys[slot] ?? Infinity
  }

  /** Puts a mark where it belongs, beginning at a slot that is free. */
  #settle(mark: M, free: number): void {
    const key = this.#keyOf(mark.level)
    const risen = this.#rise(key, free)
    this.#place(mark, key, risen < free ? risen : this.#sink(key, free))
  }

  /** Moves what comes after a key down into a free slot, and tells the one that is free at the end. */
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

  /** The same the other way: moves up what comes before the key. */
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
    const mark = this.#marks[from]
    if (mark) this.#place(mark, this.#keyAt(from), to)
  }

  #place(mark: M, key: number, slot: number): void {
    this.#marks[slot] = mark
    this.#keys[slot] = key
    mark.slot = slot
  }
}
