import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isWholeCheck } from '../../../../../testing/tiers.ts'

const MEASURE = fileURLToPath(new URL('testing/measure-memory.ts', import.meta.url))

/** Memory that reading a picture adds to a process of its own, in MB, and what came of it. */
const measured = (kind: string): { readonly mb: number; readonly result: string } =>
  JSON.parse(execFileSync(process.execPath, [MEASURE, kind], { encoding: 'utf8' })) as never

type Case = readonly [what: string, kind: string, result: string, mostMb: number]

const FIRST: readonly Case[] = [['a progressive one of 200 megapixels', 'bomb', 'pictureTooLarge', 40]]
/** They take seconds of work each. */
const REST: readonly Case[] = [
  ['a progressive one of 50 megapixels', 'progressive', 'kept', 350],
  ['a photograph of 200 megapixels', 'photograph', 'kept', 120],
  ['a photograph of 200 megapixels that is turned', 'turned', 'kept', 120],
  ['a PNG of 70 megapixels', 'png', 'kept', 120],
]

test.each(isWholeCheck() ? [...FIRST, ...REST] : FIRST)(
  'reading %s needs bounded memory',
  (_what, kind, result, most) => {
    const found = measured(kind)
    expect(found.result).toBe(result)
    expect(found.mb).toBeLessThan(most)
  },
)
