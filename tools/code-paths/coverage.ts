import { once } from 'node:events'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ROOT } from '../check/run.ts'

type Json = Readonly<Record<string, unknown>>
type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Function = { readonly functionName: string; readonly ranges: readonly [Range, ...Range[]] }
type Script = { readonly scriptId: string; readonly url: string; readonly functions: readonly Function[] }
type Location = { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number }

/** The coverage that V8 counts in a process started with `--inspect`. */
export type Coverage = {
  /** Our files whose functions run during `work`, with the offsets of those functions. */
  during(work: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly number[]>>
  /** Those of these files that `work` enters, in the order of their first entry. */
  order(
    functions: ReadonlyMap<string, readonly number[]>,
    work: () => Promise<unknown>,
  ): Promise<readonly string[]>
  close(): void
}

/** Connects to the inspector at this address. Throws when it does not answer. */
export async function openCoverage(address: string): Promise<Coverage> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const answers = new Map<number, PromiseWithResolvers<Json>>()
  const scripts = new Map<string, string>()
  let onPaused: (breakpoints: readonly string[]) => void = () => undefined
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(String(data)) as {
      readonly id?: number
      readonly method?: string
      readonly params?: Json
      readonly result?: Json
      readonly error?: { readonly message: string }
    }
    if (id !== undefined) {
      if (error) answers.get(id)?.reject(new Error(error.message))
      else answers.get(id)?.resolve(result ?? {})
      answers.delete(id)
    } else if (method === 'Debugger.scriptParsed' && params) {
      scripts.set(String(params['url']), String(params['scriptId']))
    } else if (method === 'Debugger.paused' && params) onPaused(params['hitBreakpoints'] as string[])
  })
  const send = (method: string, params: Json = {}): Promise<Json> => {
    last += 1
    const answer = Promise.withResolvers<Json>()
    answers.set(last, answer)
    socket.send(JSON.stringify({ id: last, method, params }))
    return answer.promise
  }
  const take = async () =>
    ((await send('Profiler.takePreciseCoverage')) as { readonly result: readonly Script[] }).result

  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  return {
    during: async (work) => {
      await take()
      await work()
      const files = new Map<string, number[]>()
      for (const { url, functions } of await take()) {
        const file = sourceFile(url)
        if (file === null) continue
        // The first range without a name is the module itself, which runs when it is loaded.
        const ran = functions.filter(
          ({ functionName, ranges: [range] }) =>
            range.count > 0 && !(functionName === '' && range.startOffset === 0),
        )
        if (ran.length > 0)
          files.set(
            file,
            ran.map(({ ranges: [range] }) => range.startOffset),
          )
      }
      return files
    },
    order: async (functions, work) => {
      await send('Debugger.enable')
      const breakpoints = new Map<string, string>()
      for (const [file, starts] of functions) {
        const scriptId = scripts.get(pathToFileURL(join(ROOT, file)).href)
        if (scriptId === undefined) continue
        const { scriptSource } = (await send('Debugger.getScriptSource', { scriptId })) as {
          readonly scriptSource: string
        }
        for (const start of starts) {
          const { locations } = (await send('Debugger.getPossibleBreakpoints', {
            start: { scriptId, ...lineAndColumn(scriptSource, start) },
            restrictToFunction: true,
          }).catch(() => ({ locations: [] }))) as { readonly locations: readonly Location[] }
          const [location] = locations
          if (!location) continue
          const { breakpointId } = await send('Debugger.setBreakpoint', { location }).catch(() => ({
            breakpointId: null,
          }))
          if (typeof breakpointId === 'string') breakpoints.set(breakpointId, file)
        }
      }
      const entered: string[] = []
      onPaused = (hit) => {
        for (const file of new Set(hit.map((id) => breakpoints.get(id)))) {
          if (file === undefined) continue
          if (!entered.includes(file)) entered.push(file)
          for (const [id, of] of breakpoints)
            if (of === file) {
              breakpoints.delete(id)
              void send('Debugger.removeBreakpoint', { breakpointId: id })
            }
        }
        void send('Debugger.resume')
      }
      await work()
      onPaused = () => void send('Debugger.resume')
      await send('Debugger.disable')
      return entered
    },
    close: () => socket.close(),
  }
}

/** The path of a source file in the repository; null for external files and tests. */
function sourceFile(url: string): string | null {
  if (!url.startsWith('file://')) return null
  const file = relative(ROOT, fileURLToPath(url))
  return /^(apps|packages)\/(?!.*node_modules)/.test(file) ? file : null
}

function lineAndColumn(source: string, offset: number): { lineNumber: number; columnNumber: number } {
  const before = source.slice(0, offset)
  const lineNumber = before.split('\n').length - 1
  return { lineNumber, columnNumber: offset - (before.lastIndexOf('\n') + 1) }
}
