import { Worker } from 'node:worker_threads'
import type { BasicInfo, Category, InstrumentListing } from '@fairlot/contract'

/** What a browser asks for: the `lang` query and the Accept-Language header. */
export type Wish = { readonly asked: string | null; readonly acceptLanguage: string }

/** What the first page shows. */
export type FirstData = {
  readonly instruments: readonly InstrumentListing[]
  readonly categories: readonly Category[]
  readonly basicInfo: BasicInfo
}

/** What `apps/web/src/first-page.tsx` exports. */
export type Renderer = {
  firstLanguage(wish: Wish): string
  /** `instrument` is the code of the one that the trade screen of the page shows, null for none. */
  renderFirstPage(
    language: string,
    data: FirstData,
  ): Promise<{ markup: string; tag: string; instrument: string | null }>
}

/** Where the built renderer and the empty page lie, as the text of a URL: a thread takes no other. */
export type FirstPageFiles = { readonly renderer: string; readonly template: string }

export type PageQuestion = { readonly wish: Wish } | ({ readonly language: string } & FirstData)
export type PageAnswer = { readonly text: string } | { readonly problem: string }

/** The thread that renders first pages. It begins with the first question, and ends when nothing is asked for a while. */
export type FirstPageThread = {
  /** The language of a page. Rejects, as `render` does, when the thread fails. */
  languageOf(wish: Wish): Promise<string>
  render(language: string, data: FirstData): Promise<string>
  stop(): Promise<void>
}

const PROGRAM = new URL('./first-page-worker.ts', import.meta.url)
/** A thread that is asked nothing for so long gives its memory back, ms. */
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
  const begin = (): Running => {
    const begun = openThread(files, () => {
      if (running === begun) running = null
    })
    return begun
  }
  const ask = (question: PageQuestion): Promise<string> => {
    running ??= begin()
    clearTimeout(idle)
    idle = setTimeout(() => void stop(), IDLE_MS).unref()
    const answer = Promise.withResolvers<string>()
    const id = (lastId += 1)
    running.waiting.set(id, answer)
    running.worker.postMessage({ id, question })
    return answer.promise
  }
  return {
    languageOf: (wish) => ask({ wish }),
    render: (language, data) => ask({ language, ...data }),
    stop,
  }
}

/** Starts the thread; whatever waits for it when it ends is rejected. */
function openThread(files: FirstPageFiles, onEnd: () => void): Running {
  const worker = new Worker(PROGRAM, { workerData: files })
  const waiting: Running['waiting'] = new Map()
  let reason = new Error('the thread that renders the first page has ended')
  worker.on('message', ({ id, answer }: { id: number; answer: PageAnswer }) => {
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
  // It keeps no program from ending.
  worker.unref()
  return { worker, waiting }
}
