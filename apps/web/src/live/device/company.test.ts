import { expect, test } from 'vitest'
import { companyCookie, companyIdIn } from './company.ts'

test('the cookie lasts three years, for the whole site, and is sent only over https where the page was', () => {
  expect(companyCookie(7, true)).toBe('company_id=7; path=/; max-age=94608000; samesite=lax; secure')
  expect(companyCookie(null, false)).toBe('company_id=; path=/; max-age=0; samesite=lax')
})

test.each([
  ['company_id=7', 7],
  ['a=1; company_id=12; b=2', 12],
  ['my_company_id=7', null],
  ['company_id=', null],
  ['company_id=0', null],
  ['company_id=7x', null],
  ['company_id=-7', null],
  [`company_id=${'9'.repeat(40)}`, null],
  ['', null],
])('of %j the company is %j', (cookies, companyId) => {
  expect(companyIdIn(cookies)).toBe(companyId)
})
