/** Something that waits for a price, or for a time, to reach its level. */
export type Mark = {
  /** Changed by `move` alone. */
  level: number
  /** Where it sits in its heap; -1 once removed. */
  slot: number
}

/** `up` fires at or above its level, `down` at or below. */
export type Direction = 'up' | 'down'

/**
 * Marks sorted so that the next to fire is on top: an indexed binary heap. Looking costs nothing, adding and removing
 * cost the logarithm of the size.
 */
export class LevelHeap<M extends Mark> {
  readonly #marks: M[] = []
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
    const top = this.#marks[0]
    return top !== undefined && this.#fires(top, value)
  }

  /** Every mark that fires at `value`, in no order. They stay in the heap. */
  due(value: number): M[] {
    const found: M[] = []
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      const mark = this.#marks[slot]
      // Below a mark that does not fire nothing can: the heap's own order ends the walk.
      if (!mark || !this.#fires(mark, value)) continue
      found.push(mark)
      slots.push(2 * slot + 1, 2 * slot + 2)
    }
    return found
  }

  add(mark: M): M {
    mark.slot = this.#marks.length
    this.#marks.push(mark)
    this.#rise(mark)
    return mark
  }

  remove(mark: M): void {
    const { slot } = mark
    if (this.#marks[slot] !== mark) return
    mark.slot = -1
    const last = this.#marks.pop()
    if (!last || last === mark) return
    this.#place(last, slot)
    this.#rise(last)
    this.#sink(last)
  }

  /** Lets a mark of this heap wait for another level. */
  move(mark: M, level: number): void {
    mark.level = level
    this.#rise(mark)
    this.#sink(mark)
  }

  #fires(mark: M, value: number): boolean {
    return this.#direction === 'up' ? value >= mark.level : value <= mark.level
  }

  #isBefore(a: M, b: M): boolean {
    return this.#direction === 'up' ? a.level < b.level : a.level > b.level
  }

  #place(mark: M, slot: number): void {
    this.#marks[slot] = mark
    mark.slot = slot
  }

  #rise(mark: M): void {
    while (mark.slot > 0) {
      const parent = this.#marks[(mark.slot - 1) >> 1]
      if (!parent || !this.#isBefore(mark, parent)) return
      const { slot } = parent
      this.#place(parent, mark.slot)
      this.#place(mark, slot)
    }
  }

  #sink(mark: M): void {
    for (;;) {
      const left = this.#marks[2 * mark.slot + 1]
      const right = this.#marks[2 * mark.slot + 2]
      const child = left && right && this.#isBefore(right, left) ? right : left
      if (!child || !this.#isBefore(child, mark)) return
      const { slot } = child
      this.#place(child, mark.slot)
      this.#place(mark, slot)
    }
  }
}
