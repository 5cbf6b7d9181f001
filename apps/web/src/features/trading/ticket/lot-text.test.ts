import { lots } from '@fairlot/core'
import { expect, it } from 'vitest'
import { lotDecimals, lotText } from './lot-text.ts'

it('writes lots with the digits of their step', () => {
  expect(lotText(lots(1000), lots(100))).toBe('0.10')
  expect(lotText(lots(20_000), lots(10_000))).toBe('2')
  expect(lotText(lots(5), lots(1))).toBe('0.0005')
  expect(lotDecimals(lots(500))).toBe(2)
})

it('never rounds a size that is off its step', () => {
  expect(lotText(lots(150), lots(100))).toBe('0.0150')
})
