import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, run } from './run.ts'

const VIOLATIONS: Readonly<Record<string, { file: string; text: string }>> = {
  'no-explicit-any': { file: 'any.ts', text: 'export const a = (x: any): unknown => x' },
  'no-non-null-assertion': { file: 'null.ts', text: 'export const a = (x: number | null): number => x!' },
  'no-floating-promises': {
    file: 'promise.ts',
    text: 'const a = async (): Promise<void> => {}\nexport const b = (): void => {\n  a()\n}',
  },
  'switch-exhaustiveness-check': {
    file: 'switch.ts',
    text: "export function a(x: 'p' | 'q'): number {\n  switch (x) {\n    case 'p':\n      return 1\n  }\n  return 0\n}",
  },
  TS2322: { file: 'type.ts', text: "export const a: number = 'one'" },
  'no-default-export': { file: 'default.ts', text: 'export default 1' },
  'rules-of-hooks': {
    file: 'hook.tsx',
    text: "import { useState } from 'react'\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(1)\n  return null\n}",
  },
  'no-focused-tests': { file: 'only.test.ts', text: "import { it } from 'vitest'\nit.only('a', () => {})" },
}

describe('lint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-lint-'))
  let output = ''

  beforeAll(async () => {
    copyFileSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.json'))
    for (const { file, text } of Object.values(VIOLATIONS)) writeFileSync(join(folder, file), text)
    const config = join(ROOT, '.oxlintrc.json')
    output = (await run('oxlint', [`--config=${config}`, '--format=unix', folder], { output: 'keep' })).output
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(Object.entries(VIOLATIONS))('reports %s', (rule, { file }) => {
    expect(output.split('\n').filter((line) => line.includes(file) && line.includes(rule))).not.toEqual([])
  })
})
