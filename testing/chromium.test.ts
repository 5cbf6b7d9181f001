import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChromium } from './chromium.ts'

describe('findChromium', () => {
  let folder = ''
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fairlot-chromium-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  function program(name: string): string {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, '#!/bin/sh\n')
    chmodSync(path, 0o755)
    return path
  }

  it('prefers CHROME_PATH', () => {
    program('bin/chromium')
    const given = program('my-browser')
    expect(findChromium({ CHROME_PATH: given, PATH: join(folder, 'bin') }, [])).toBe(given)
  })

  it('rejects a CHROME_PATH without a program', () => {
    expect(() => findChromium({ CHROME_PATH: join(folder, 'nothing') }, [])).toThrow(
      /CHROME_PATH is .*nothing/,
    )
  })

  it('prefers a browser on the PATH to the usual places', () => {
    const usual = program('usual/chrome')
    const onPath = program('bin/microsoft-edge')
    const path = `/nowhere:${join(folder, 'bin')}`
    expect(findChromium({ PATH: path }, [usual])).toBe(onPath)
    expect(findChromium({ PATH: '/nowhere' }, [usual])).toBe(usual)
  })

  it('returns null when there is no browser', () => {
    expect(findChromium({ PATH: folder }, [join(folder, 'chrome')])).toBeNull()
  })
})
