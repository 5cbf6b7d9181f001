import { price } from '@fairlot/core'
import { expect, it } from 'vitest'
import { improvement } from './placed-text.ts'

it('counts a cheaper buy and a dearer sell as better than shown', () => {
  expect(improvement({ side: 'buy' }, price(108_475), price(108_473))).toBe(2)
  expect(improvement({ side: 'sell' }, price(108_469), price(108_473))).toBe(4)
})

it('counts a dearer buy and a cheaper sell as worse', () => {
  expect(improvement({ side: 'buy' }, price(108_475), price(108_480))).toBe(-5)
  expect(improvement({ side: 'sell' }, price(108_469), price(108_460))).toBe(-9)
})
