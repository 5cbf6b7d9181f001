/** Reads a story: Markdown whose tables say what happens and what must come of it. */

/** One row of the table of events, by the names of its columns. */
export type Row = { readonly [Name in Column]?: string | undefined } & { readonly line: number }

export type Story = {
  readonly title: string
  readonly settings: ReadonlyMap<string, string>
  readonly rows: readonly Row[]
}

/** `why` is for the reader: the arithmetic behind the figures of the row. */
const COLUMNS = [
  'time',
  'what happens',
  'answer',
  'balance',
  'open profit',
  'equity',
  'margin',
  'reserved',
  'free',
  'level',
  'why',
] as const
export type Column = (typeof COLUMNS)[number]

type Table = {
  readonly header: readonly string[]
  readonly rows: { cells: readonly string[]; line: number }[]
}

export function readStory(text: string): Story {
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (!title) throw new Error('a story starts with its title')
  const tables = tablesOf(text)
  const events = tables.filter(({ header }) => header[0] === 'time')
  const settings = tables.filter(({ header }) => header[0] === 'setting')
  if (events.length + settings.length !== tables.length)
    throw new Error('a table starts with time or setting')
  const rows = events.flatMap(rowsOf)
  if (rows.length === 0) throw new Error('a story without events')
  return { title, settings: new Map(settings.flatMap(({ rows: pairs }) => pairs.map(pairOf))), rows }
}

function tablesOf(text: string): Table[] {
  const tables: Table[] = []
  let current: Table | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('|')) {
      current = null
      continue
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (!current) tables.push((current = { header: cells, rows: [] }))
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) current.rows.push({ cells, line: index + 1 })
  }
  return tables
}

const pairOf = ({ cells }: { cells: readonly string[] }): [string, string] => [cells[0] ?? '', cells[1] ?? '']

function rowsOf({ header, rows }: Table): Row[] {
  const columns = header.map(columnOf)
  return rows
    .map(({ cells, line }): Row => {
      if (cells.length !== columns.length)
        throw new Error(`line ${line} has ${cells.length} cells, not ${columns.length}`)
      return { ...Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])), line }
    })
    .reduce<Row[]>(joinRow, [])
}

/** A row in which nothing happens goes on with the answer to the one above; its figures are those after the whole. */
function joinRow(rows: Row[], row: Row): Row[] {
  const above = rows.at(-1)
  if (row['what happens'] !== '' || !above) return [...rows, row]
  const { line, time, 'what happens': happens } = above
  return [
    ...rows.slice(0, -1),
    { ...row, line, time, 'what happens': happens, answer: `${above.answer}; ${row.answer}` },
  ]
}

function columnOf(name: string): Column {
  const found = COLUMNS.find((column) => column === name)
  if (!found) throw new Error(`no column is called "${name}"`)
  return found
}
