import { describe, expect, test } from 'vitest'
import { isRefusal } from '../platform/refusal.ts'
import { imitates, skeletonOf, strategyName } from './strategy-name.ts'

describe('the name of a strategy', () => {
  test.each([
    ['  Steady   hands ', 'Steady hands'],
    ['Cafe\u0301 No. 1', 'Café No. 1'],
    ['黃金 swing', '黃金 swing'],
    ['Тихий рост', 'Тихий рост'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(strategyName(typed)).toBe(stored)
  })

  test.each([
    ['a mark that changes the direction', 'Gold\u202Edlog'],
    ['a character without width', 'Gold\u200Bfish'],
    ['a joiner', 'Gold\u200Dfish'],
    ['a line feed', 'Gold\nfish'],
    ['markup', '<script>alert(1)</script>'],
    ['letters of two scripts', 'Gоld fish'],
    ['piled marks', 'Go\u0301\u0302\u0303ld'],
    ['two characters', 'Go'],
    ['no letter', '12 34'],
    ['41 characters', 'g'.repeat(41)],
  ])('is refused with %s', (_, typed) => {
    expect(isRefusal(strategyName(typed))).toBe(true)
  })

  test.each([
    ['Gold fish', 'gold-FISH'],
    ['Gold fish', 'Go1d fi5h'],
    ['corn', 'com'],
    ['соса', 'coca'],
    ['Émile', 'emile'],
  ])('%j looks like %j', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  test('does not look like another with other letters', () => {
    expect(skeletonOf('Gold fish')).not.toBe(skeletonOf('Cold fish'))
  })

  test('imitates the operator where it contains its name as the eye sees it', () => {
    expect(imitates('Fa1rIot Official', 'Fairlot')).toBe(true)
    expect(imitates('Fair trader', 'Fairlot')).toBe(false)
  })
})
