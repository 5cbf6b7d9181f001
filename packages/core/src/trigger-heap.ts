/** What an order waits for: its target, take profit or stop loss; or its expiry, whose level is a time. */
export type TriggerKind = 'takeProfit' | 'stopLoss' | 'target' | 'expiry'

export type Trigger = {
  readonly orderId: number
  readonly kind: TriggerKind
  readonly level: number
  /** Where it sits in its heap; -1 once removed. */
  slot: number
}

/** `up` fires at or above its level, `down` at or below. */
export type TriggerDirection = 'up' | 'down'

/**
 * Triggers sorted so that the next to fire is on top: an indexed binary heap. Looking costs nothing, adding and removing
 * cost the logarithm of the size.
 */
export class TriggerHeap {
  readonly #triggers: Trigger[] = []
  readonly #direction: TriggerDirection

  constructor(direction: TriggerDirection) {
    this.#direction = direction
  }

  get size(): number {
    return this.#triggers.length
  }

  /** Every trigger, in no order: for checking, not for deciding. */
  all(): readonly Trigger[] {
    return this.#triggers
  }

  /** True when the top trigger fires at `value`; then `due` is worth asking. */
  isReachedBy(value: number): boolean {
    const top = this.#triggers[0]
    return top !== undefined && this.#fires(top, value)
  }

  /** Every trigger that fires at `value`, in no order. They stay in the heap. */
  due(value: number): Trigger[] {
    const found: Trigger[] = []
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      const trigger = this.#triggers[slot]
      // Below a trigger that does not fire nothing can: the heap's own order ends the walk.
      if (!trigger || !this.#fires(trigger, value)) continue
      found.push(trigger)
      slots.push(2 * slot + 1, 2 * slot + 2)
    }
    return found
  }

  add(orderId: number, kind: TriggerKind, level: number): Trigger {
    const trigger: Trigger = { orderId, kind, level, slot: this.#triggers.length }
    this.#triggers.push(trigger)
    this.#rise(trigger)
    return trigger
  }

  remove(trigger: Trigger): void {
    const { slot } = trigger
    if (this.#triggers[slot] !== trigger) return
    trigger.slot = -1
    const last = this.#triggers.pop()
    if (!last || last === trigger) return
    this.#place(last, slot)
    this.#rise(last)
    this.#sink(last)
  }

  #fires(trigger: Trigger, value: number): boolean {
    return this.#direction === 'up' ? value >= trigger.level : value <= trigger.level
  }

  #isBefore(a: Trigger, b: Trigger): boolean {
    return this.#direction === 'up' ? a.level < b.level : a.level > b.level
  }

  #place(trigger: Trigger, slot: number): void {
    this.#triggers[slot] = trigger
    trigger.slot = slot
  }

  #rise(trigger: Trigger): void {
    while (trigger.slot > 0) {
      const parent = this.#triggers[(trigger.slot - 1) >> 1]
      if (!parent || !this.#isBefore(trigger, parent)) return
      const { slot } = parent
      this.#place(parent, trigger.slot)
      this.#place(trigger, slot)
    }
  }

  #sink(trigger: Trigger): void {
    for (;;) {
      const left = this.#triggers[2 * trigger.slot + 1]
      const right = this.#triggers[2 * trigger.slot + 2]
      const child = left && right && this.#isBefore(right, left) ? right : left
      if (!child || !this.#isBefore(child, trigger)) return
      const { slot } = child
      this.#place(child, trigger.slot)
      this.#place(trigger, slot)
    }
  }
}
