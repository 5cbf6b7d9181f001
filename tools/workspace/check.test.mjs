import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './root.mjs'

/** What of npm a clean clone needs: it leaves the pinned Node behind. */
const NPM = `
import { mkdirSync, symlinkSync } from 'node:fs'
mkdirSync('node_modules/.bin', { recursive: true })
symlinkSync(process.execPath, 'node_modules/.bin/node')
console.log('npm', ...process.argv.slice(2, 3))
`
/** The checks, which only name their arguments, and answer as they do when something is wrong. */
const CHECKS = `
const args: readonly string[] = process.argv.slice(2)
console.log(['checks', ...args].join(' '))
process.exitCode = 1
`

let clone = ''
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'fairlot-clone-'))
  for (const name of ['package.json', 'package-lock.json', 'tools/check.mjs', 'tools/workspace'])
    cpSync(join(ROOT, name), join(clone, name), { recursive: true })
  writeFileSync(join(clone, 'npm.mjs'), NPM)
  writeFileSync(join(clone, 'tools/check.ts'), CHECKS)
})
afterAll(() => rmSync(clone, { recursive: true }))

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

it.each([
  ['test', [], 'checks'],
  ['check', ['types', 'lint'], 'checks types lint'],
  ['check:all', [], 'checks --all'],
])('%s installs in a clean clone, then checks, and fails as the checks do', (name, args, expected) => {
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
  const [node, ...program] = scripts[name].split(' ')
  expect(node).toBe('node')
  const run = () =>
    spawnSync(process.execPath, [...program, ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...process.env, npm_node_execpath: process.execPath, npm_execpath: join(clone, 'npm.mjs') },
    })
  const [first, second] = [run(), run()]
  expect(first).toMatchObject({ status: 1, stderr: '' })
  expect(first.stdout.trim().split('\n').slice(-2)).toEqual(['npm ci', expected])
  expect(second.stdout.trim()).toBe(expected)
})
