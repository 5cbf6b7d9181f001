import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

const lineOf = (text: string): string => csvOf(['note'], [{ note: text }]).split('\r\n')[1] ?? ''

test('has a line of names, and quotes what needs it', () => {
  const csv = csvOf(
    ['id', 'name'],
    [
      { id: 1, name: 'a "b", c' },
      { id: 2, name: null },
    ],
  )
  expect(csv).toBe('\uFEFFid,name\r\n1,"a ""b"", c"\r\n2,\r\n')
})

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '＝1'])('disarms %j', (text) => {
  expect(lineOf(text).replaceAll('"', '').startsWith("'")).toBe(true)
})

test.each(['-12.500000', '0', '17', 'plain text'])('leaves %j as it is', (text) => {
  expect(lineOf(text)).toBe(text)
})
