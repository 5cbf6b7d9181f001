import { isMet, type Line, type Target } from './measurement.ts'

const written = (target: Target): string =>
  'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`

const figure = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })

const HEAD = ['goal', 'what', 'measured', 'yardstick', 'ratio', 'target', '']

function cellsOf(line: Line): string[] {
  if ('because' in line) return [line.goal, line.what, 'NOT MEASURED', line.because, '', '', '']
  const { goal, what, measured, yardstick, ratio, target } = line
  return [goal, what, measured, yardstick, figure(ratio), written(target), isMet(line) ? 'met' : 'MISSED']
}

/** The lines as a table of plain text, with their notes below. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const notes = lines.flatMap((line) => ('note' in line && line.note ? [`${line.goal}: ${line.note}`] : []))
  return [...text, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}
