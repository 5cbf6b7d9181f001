import { expect, test } from 'vitest'
import { csvOf, type CsvRow } from './csv.ts'

async function textOf(columns: string[], ...pages: CsvRow[][]): Promise<string> {
  let text = ''
  for await (const piece of csvOf(columns, pages)) text += piece
  return text
}
const lineOf = async (text: string): Promise<string> =>
  (await textOf(['note'], [{ note: text }])).split('\r\n')[1] ?? ''

test('has one line of names however many pages there are, and quotes what needs it', async () => {
  const csv = await textOf(['id', 'name'], [{ id: 1, name: 'a "b", c' }], [{ id: 2, name: null }], [])
  expect(csv).toBe('\uFEFFid,name\r\n1,"a ""b"", c"\r\n2,\r\n')
})

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '＝1'])('disarms %j', async (text) => {
  expect((await lineOf(text)).replaceAll('"', '').startsWith("'")).toBe(true)
})

test.each(['-12.500000', '0', '17', 'plain text'])('leaves %j as it is', async (text) => {
  expect(await lineOf(text)).toBe(text)
})
