import { Worker } from 'node:worker_threads'
import type { BasicInfo, Category, InstrumentListing } from '@fairlot/contract'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** The language preferences of a browser: the `lang` query and the Accept-Language header. */
export type LanguageRequest = { readonly langQuery: string | null; readonly acceptLanguage: string }

/** The data of the first page. */
export type InitialPageData = {
  readonly instruments: readonly InstrumentListing[]
  readonly categories: readonly Category[]
  readonly basicInfo: BasicInfo
}

/** What `apps/web/src/first-page.tsx` exports. */
export type Renderer = {
  firstLanguage(languageRequest: LanguageRequest): string
  /** `instrument` is the code of the instrument on the rendered trade screen; null for none. */
  renderFirstPage(
    language: string,
    data: InitialPageData,
  ): Promise<{ markup: string; tag: string; instrument: string | null }>
}

/** The URL of the built renderer, as text, because a thread accepts no URL objects, and the page without screens. */
export type FirstPageFiles = { readonly renderer: string; readonly template: string }

export type RenderRequest =
  | { readonly languageRequest: LanguageRequest }
  | ({ readonly language: string } & InitialPageData)
export type RenderResult = { readonly text: string } | { readonly problem: string }

/** The thread that renders first pages. It starts with the first request and ends after a while without requests. */
export type FirstPageThread = {
  /** The language of a page. Rejects, as `render` does, when the thread fails. */
  languageOf(languageRequest: LanguageRequest): Promise<string>
  render(language: string, data: InitialPageData): Promise<string>
  stop(): Promise<void>
}

const PROGRAM = new URL('./first-page-worker.ts', import.meta.url)
/** A thread without requests for this long ends and frees its memory, ms. */
const IDLE_MS = 60_000

type Running = {
  readonly worker: Worker
  readonly waiting: Map<number, PromiseWithResolvers<string>>
}

export function createFirstPageThread(files: FirstPageFiles): FirstPageThread {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  const stop = async () => {
    clearTimeout(idle)
    await running?.worker.terminate()
  }
  const start = (): Running => {
    const started = openThread(files, () => {
      if (running === started) running = null
    })
    return started
  }
  const send = (request: RenderRequest): Promise<string> => {
    running ??= start()
    clearTimeout(idle)
    idle = setTimeout(() => void stop(), IDLE_MS).unref()
    const answer = Promise.withResolvers<string>()
    const id = (lastId += 1)
    running.waiting.set(id, answer)
    running.worker.postMessage({ id, request })
    return answer.promise
  }
  return {
    languageOf: (languageRequest) => send({ languageRequest }),
    render: (language, data) => send({ language, ...data }),
    stop,
  }
}

/** Starts the thread; requests that are waiting when it ends are rejected. */
function openThread(files: FirstPageFiles, onEnd: () => void): Running {
  const worker = new Worker(PROGRAM, { workerData: files })
  const waiting: Running['waiting'] = new Map()
  let reason = new Error('the thread that renders the first page has ended')
  worker.on('message', ({ id, answer }: { id: number; answer: RenderResult }) => {
    const { resolve, reject } = waiting.get(id) ?? Promise.withResolvers<string>()
    waiting.delete(id)
    if ('text' in answer) resolve(answer.text)
    else reject(new Error(answer.problem))
  })
  worker.on('error', (error) => {
    reason = error instanceof Error ? error : new Error(String(error))
  })
  worker.on('exit', () => {
    onEnd()
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  })
  // The process may exit while the thread runs.
  worker.unref()
  return { worker, waiting }
}

const RENDERER = new URL('../../../../web/first-page/dist/first-page.js', import.meta.url)
/** A rendered page is reused for this long, ms: about one rendering a second for each language, at any load. */
const CACHE_MS = 1_000

/** The data of the first page, with the categories in a language. */
export type InitialPageDataOf = (language: string) => Promise<InitialPageData>

/** A page, and the same compressed with Brotli. */
export type RenderedPage = { readonly text: string; readonly brotli: Buffer }

export type FirstPage = {
  /** The page of the web app with the first screens rendered into it. Rejects when rendering fails. */
  of(languageRequest: LanguageRequest): Promise<RenderedPage>
  stop(): Promise<void>
}

/** Renders into the page of the web app; null where its renderer is not built. */
export function createFirstPage(dataOf: InitialPageDataOf, template: string): FirstPage | null {
  if (!existsSync(fileURLToPath(RENDERER))) return null
  const pages = new Map<string, { readonly until: number; readonly page: Promise<RenderedPage> }>()
  const thread = createFirstPageThread({ renderer: RENDERER.href, template })
  const renderIn = async (language: string): Promise<RenderedPage> => {
    const text = await thread.render(language, await dataOf(language))
    return { text, brotli: await compressPage(text) }
  }
  return {
    of: async (languageRequest) => {
      const language = await thread.languageOf(languageRequest)
      const kept = pages.get(language)
      if (kept && kept.until > performance.now()) return kept.page
      const page = renderIn(language)
      pages.set(language, { until: performance.now() + CACHE_MS, page })
      return page
    },
    stop: thread.stop,
  }
}

/** The highest quality would take a quarter of a second for each page. */
const PAGE_QUALITY = 8

const compress = promisify(brotliCompress)

const compressPage = (text: string): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_QUALITY } })
