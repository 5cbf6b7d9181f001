import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerProcess, startServerProcess } from './server-process.ts'

/** Replaces the real server: shows its settings at /, and says where it listens. */
const PROGRAM = `
  import { createServer } from 'node:http'
  const { PORT, HOST, DATA_DIR, FEED, DATABASE_URL } = process.env
  const server = createServer((_, reply) => reply.end(JSON.stringify({ DATA_DIR, FEED, DATABASE_URL })))
  process.on('SIGTERM', () => server.close(() => { console.log('drained'); process.exit(0) }))
  server.listen(Number(PORT), HOST, () => console.log('ready at http://' + HOST + ':' + PORT))
`

describe('a server in a process of its own', () => {
  let folder = ''
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fairlot-server-test-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  function program(text: string): string {
    const path = join(folder, 'main.mjs')
    writeFileSync(path, text)
    return path
  }

  async function settings(url: string): Promise<Record<string, string | undefined>> {
    const reply: unknown = await (await fetch(url, { headers: { connection: 'close' } })).json()
    return reply as Record<string, string | undefined>
  }

  it('waits until it is ready, and passes only the given settings', async () => {
    process.env['DATABASE_URL'] = 'postgres://of-the-developer'
    const server = await startServerProcess({ env: { FEED: 'simulated:7' }, program: program(PROGRAM) })
    delete process.env['DATABASE_URL']
    const { DATA_DIR, FEED, DATABASE_URL } = await settings(server.url)
    expect({ FEED, DATABASE_URL, hasData: existsSync(DATA_DIR ?? '') }).toEqual({
      FEED: 'simulated:7',
      DATABASE_URL: undefined,
      hasData: true,
    })
    await server.stop()
    expect(server.output()).toContain('drained')
    expect(existsSync(DATA_DIR ?? '')).toBe(false)
  })

  it('runs several servers at once, each on its own port', async () => {
    const settings = { program: program(PROGRAM) }
    const [first, second] = await Promise.all([startServerProcess(settings), startServerProcess(settings)])
    expect(first.url).not.toBe(second.url)
    await Promise.all([first.stop(), second.stop()])
  })

  it('restarts at the same address after a kill, and reports each line of output', async () => {
    const lines: string[] = []
    const server = await createServerProcess({
      program: program(PROGRAM),
      onLine: (line) => void lines.push(line),
    })
    for (const isRunning of [true, true]) {
      server.start()
      await server.started()
      expect(await settings(server.url)).toMatchObject({ DATA_DIR: server.dataDir })
      expect(server.isRunning()).toBe(isRunning)
      await server.kill()
      expect([server.isRunning(), await server.exited()]).toEqual([false, null])
    }
    await server.stop()
    expect(lines).toEqual([`ready at ${server.url}`, `ready at ${server.url}`])
    expect(existsSync(server.dataDir)).toBe(false)
  })

  it('keeps a given data folder', async () => {
    const server = await startServerProcess({ env: { DATA_DIR: folder }, program: program(PROGRAM) })
    await server.stop()
    expect(existsSync(folder)).toBe(true)
  })

  it('fails with its output when it ends early', async () => {
    const main = program(
      "console.log('reading settings'); console.error('PORT must be a number'); process.exit(3)",
    )
    await expect(startServerProcess({ program: main })).rejects.toThrow(
      /exit code 3. It printed:\n[\s\S]*reading settings[\s\S]*PORT must be a number/,
    )
  })
})
