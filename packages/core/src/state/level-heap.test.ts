import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LevelHeap, type HeapEntry } from './level-heap.ts'

const levels = (marks: readonly HeapEntry[]) => marks.map(({ level }) => level).toSorted((a, b) => a - b)

describe('a heap for rising values', () => {
  it('returns entries at or below the value', () => {
    const heap = new LevelHeap<HeapEntry>('up')
    for (const level of [105, 101, 103, 101]) heap.add({ level: level, slot: -1 })
    expect(heap.isReachedBy(100)).toBe(false)
    expect(heap.isReachedBy(101)).toBe(true)
    expect(levels(heap.due(103))).toEqual([101, 101, 103])
  })
})

describe('a heap for falling values', () => {
  it('returns entries at or above the value', () => {
    const heap = new LevelHeap<HeapEntry>('down')
    for (const level of [95, 99, 97]) heap.add({ level: level, slot: -1 })
    expect(heap.isReachedBy(100)).toBe(false)
    expect(heap.isReachedBy(99)).toBe(true)
    expect(levels(heap.due(97))).toEqual([97, 99])
  })
})

it('reading removes nothing', () => {
  const heap = new LevelHeap<HeapEntry>('up')
  heap.add({ level: 100, slot: -1 })
  expect(heap.due(100)).toEqual(heap.due(100))
  expect(heap.size).toBe(1)
})

it('removing twice, or from another heap, changes nothing', () => {
  const heap = new LevelHeap<HeapEntry>('up')
  const other = new LevelHeap<HeapEntry>('up')
  const trigger = heap.add({ level: 100, slot: -1 })
  const otherUser = other.add({ level: 50, slot: -1 })
  heap.remove(otherUser)
  heap.remove(trigger)
  heap.remove(trigger)
  expect([heap.size, other.size]).toEqual([0, 1])
})

type Step = { add: number } | { remove: number } | { move: number; to: number } | { ask: number }
const level = fc.integer({ min: -20, max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: level }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(1_000) }) },
  { weight: 2, arbitrary: fc.record({ move: fc.nat(1_000), to: level }) },
  { weight: 2, arbitrary: fc.record({ ask: level }) },
)

describe.each(['up', 'down'] as const)('a heap watching %s', (direction) => {
  it('gives the same results as a plain list', () => {
    const fires = (at: number, value: number) => (direction === 'up' ? value >= at : value <= at)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const heap = new LevelHeap<HeapEntry>(direction)
        const list: HeapEntry[] = []
        for (const each of steps) {
          if ('add' in each) list.push(heap.add({ level: each.add, slot: -1 }))
          else if ('remove' in each)
            list.splice(each.remove % (list.length || 1), 1).forEach((one) => heap.remove(one))
          else if ('move' in each) {
            const one = list[each.move % (list.length || 1)]
            if (one) heap.move(one, each.to)
          } else {
            const expected = list.filter((one) => fires(one.level, each.ask))
            expect(new Set(heap.due(each.ask))).toEqual(new Set(expected))
            expect(heap.isReachedBy(each.ask)).toBe(expected.length > 0)
          }
          expect(heap.size).toBe(list.length)
          expect(heap.all().every((one, slot) => one.slot === slot)).toBe(true)
        }
      }),
    )
  })
})
