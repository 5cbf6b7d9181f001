// The program of a worker thread: renders the first page, so that no order waits for it.
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { encode, getBasicInfo, listCategories, listInstruments, RAW_PRICES } from '@fairlot/contract'
import type { FirstPageFiles, PageAnswer, PageQuestion, Renderer } from './first-page-thread.ts'

const EMPTY = '<div id="root"></div>'
const OPENING = '<html lang="zh-HK" dir="ltr">'

const { renderer, template } = workerData as FirstPageFiles
const { firstLanguage, renderFirstPage } = (await import(renderer)) as Renderer
const page = await readFile(new URL(template), 'utf8')

async function answerTo(question: PageQuestion): Promise<string> {
  if ('wish' in question) return firstLanguage(question.wish)
  const { language, ...data } = question
  const { markup, tag, instrument } = await renderFirstPage(language, data)
  // The app takes them as it takes the answers of the calls.
  const answers = {
    instruments: encode(listInstruments.response, data.instruments),
    categories: encode(listCategories.response, data.categories),
    basicInfo: encode(getBasicInfo.response, data.basicInfo),
  }
  // A script of data is never run, so the page's policy needs no exception; `<` could end it early.
  const json = JSON.stringify({ language, ...answers, rawPrices: RAW_PRICES }).replaceAll('<', '\\u003c')
  const rows = `<div id="root">${markup}</div><script type="application/json" id="first-data">${json}</script>`
  // By this `theme.js` tells whether the trade screen of the page is of the instrument that is asked for.
  const shown = /^[\w.-]+$/.test(instrument ?? '') ? ` data-instrument="${instrument}"` : ''
  return page
    .replace(OPENING, () => `<html lang="${tag}" dir="ltr" data-language="${language}"${shown}>`)
    .replace(EMPTY, () => `${rows}<script async src="/first-prices.js"></script>`)
}

parentPort?.on('message', ({ id, question }: { id: number; question: PageQuestion }) => {
  const tell = (answer: PageAnswer) => parentPort?.postMessage({ id, answer })
  answerTo(question).then(
    (text) => tell({ text }),
    (error: unknown) =>
      tell({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
