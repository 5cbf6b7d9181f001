import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '../../../../../testing/read-csv.ts'
import { csvOf, type CsvRow } from './csv.ts'

async function textOf(columns: string[], ...pages: CsvRow[][]): Promise<string> {
  let text = ''
  for await (const piece of csvOf(columns, pages)) text += piece
  return text
}
const lineOf = async (text: string): Promise<string> =>
  (await textOf(['note'], [{ note: text }])).split('\r\n')[1] ?? ''

test('has one header line for all pages, and quotes cells where necessary', async () => {
  const csv = await textOf(['id', 'name'], [{ id: 1, name: 'a "b", c' }], [{ id: 2, name: null }], [])
  expect(csv).toBe('\uFEFFid,name\r\n1,"a ""b"", c"\r\n2,\r\n')
})

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '＝1'])('disarms %j', async (text) => {
  expect((await lineOf(text)).replaceAll('"', '').startsWith("'")).toBe(true)
})

const LINE_ENDS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']

test.each(LINE_ENDS)(
  'a cell that contains the line end %j stays one cell, and none of its lines is a formula',
  async (end) => {
    const text = `one${end}=1+1${end}-2${end}"=cmd"${end}${end}@x, "y"`
    const shown = `one${end}'=1+1${end}'-2${end}'"=cmd"${end}${end}'@x, "y"`
    const csv = await textOf(['id', 'note'], [{ id: 1, note: text }], [{ id: 2, note: `=${end}` }])
    expect(readCsv(csv)).toEqual({
      header: ['id', 'note'],
      rows: [
        ['1', shown],
        ['2', `'=${end}`],
      ],
    })
    // Even for a reader that splits lines first, no line starts with a formula.
    for (const line of csv.split(/[\n\r\v\f\u0085\u2028\u2029]/u)) expect(line).not.toMatch(/^"*[=+\-@]/)
  },
)

test('any text is read back unchanged, except for apostrophes before formulas', async () => {
  const letters = fc.constantFrom(...LINE_ENDS, ...'=+-@",;\t\'a1 '.split(''), '＝', '\uFEFF')
  const cells = fc.array(
    fc.array(letters, { maxLength: 12 }).map((some) => some.join('')),
    { minLength: 2, maxLength: 2 },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 4 }), async (rows) => {
      const csv = await textOf(
        ['a', 'b'],
        rows.map(([a = '', b = '']) => ({ a, b })),
      )
      const plain = (found: readonly (readonly string[])[]) =>
        found.map((row) => row.map((cell) => cell.replaceAll("'", '')))
      expect(plain(readCsv(csv).rows)).toEqual(plain(rows))
    }),
    { numRuns: 300 },
  )
})

test.each(['-12.500000', '0', '17', 'plain text'])('leaves %j as it is', async (text) => {
  expect(await lineOf(text)).toBe(text)
})
