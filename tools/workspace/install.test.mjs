import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isInstalled, nodeProblem } from './install.mjs'

describe('nodeProblem', () => {
  it('rejects a Node before 20 and names its version', () => {
    expect(nodeProblem('18.20.4')).toMatch(/needs Node 20 or newer, and this is Node 18\.20\.4/)
    expect(nodeProblem('20.0.0')).toBeNull()
    expect(nodeProblem('24.21.0')).toBeNull()
  })
})

describe('isInstalled', () => {
  let root = ''
  const LOCK = '{ "lockfileVersion": 3 }'
  const write = (path, text, time) => {
    writeFileSync(join(root, path), text)
    if (time) utimesSync(join(root, path), time, time)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fairlot-install-'))
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    write('package-lock.json', LOCK, 1000)
    write('node_modules/.bin/node', '')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is false on a fresh clone', () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(isInstalled(root)).toBe(false)
  })

  it('is false after an interrupted install', () => {
    expect(isInstalled(root)).toBe(false)
  })

  it('is true while the stamp contains the hash of the lock file', () => {
    write('node_modules/.fairlot-lock', createHash('sha256').update(LOCK).digest('hex'))
    expect(isInstalled(root)).toBe(true)
    write('package-lock.json', '{ "lockfileVersion": 4 }')
    expect(isInstalled(root)).toBe(false)
  })

  it('accepts an install that npm finished after the lock file changed, but no older one', () => {
    write('node_modules/.package-lock.json', '{}', 2000)
    expect(isInstalled(root)).toBe(true)
    write('package-lock.json', LOCK, 3000)
    expect(isInstalled(root)).toBe(false)
  })
})
