import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOfSources, isWebBuilt } from './web-build.mjs'

describe('isWebBuilt', () => {
  let root = ''
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const stamp = () => {
    for (const app of ['web', 'desk']) write(`apps/${app}/dist/.built-from`, hashOfSources(root))
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fairlot-build-'))
    write('package-lock.json', '{}')
    write('apps/web/src/main.tsx', 'a')
    write('packages/core/src/index.ts', 'b')
    write('packages/contract/src/index.ts', 'c')
    write('apps/server/src/main.ts', 'd')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is false before the first build', () => {
    expect(isWebBuilt(root)).toBe(false)
  })

  it.each([
    'apps/web/src/main.tsx',
    'apps/web/src/app/new.tsx',
    'apps/desk/src/main.tsx',
    'packages/core/src/index.ts',
    'packages/contract/src/index.ts',
    'packages/ui/src/theme/theme.css',
    'package-lock.json',
  ])('is false after a change of %s', (path) => {
    stamp()
    expect(isWebBuilt(root)).toBe(true)
    write(path, 'changed')
    expect(isWebBuilt(root)).toBe(false)
  })

  it.each(['apps/server/src/main.ts', 'apps/web/dist/index.html', 'apps/web/node_modules/x/index.js'])(
    'is true after a change of %s',
    (path) => {
      stamp()
      write(path, 'changed')
      expect(isWebBuilt(root)).toBe(true)
    },
  )

  it('is false while one of the two apps is not built', () => {
    stamp()
    rmSync(join(root, 'apps/desk/dist'), { recursive: true })
    expect(isWebBuilt(root)).toBe(false)
  })

  it('is false after a file was moved', () => {
    stamp()
    rmSync(join(root, 'apps/web/src/main.tsx'))
    write('apps/web/src/start.tsx', 'a')
    expect(isWebBuilt(root)).toBe(false)
  })
})
