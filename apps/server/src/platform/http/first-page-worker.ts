// The program of a worker thread, which renders the first page without blocking the server.
import { parentPort, workerData } from 'node:worker_threads'
import {
  directionOf,
  encode,
  getBasicInfo,
  languageOfCode,
  listCategories,
  listInstruments,
  RAW_PRICES,
} from '@fairlot/contract'
import type { FirstPageFiles, RenderResult, RenderRequest, Renderer } from './first-page.ts'

const EMPTY = '<div id="root"></div>'
const OPENING = '<html lang="zh-HK" dir="ltr">'

const { renderer, template } = workerData as FirstPageFiles
const { firstLanguage, renderFirstPage } = (await import(renderer)) as Renderer

async function answerTo(request: RenderRequest): Promise<string> {
  if ('languageRequest' in request) return firstLanguage(request.languageRequest)
  const { language, ...data } = request
  const { markup, tag, instrument } = await renderFirstPage(language, data)
  // In the form of the API's answers, which the app decodes.
  const answers = {
    instruments: encode(listInstruments.response, data.instruments),
    categories: encode(listCategories.response, data.categories),
    basicInfo: encode(getBasicInfo.response, data.basicInfo),
  }
  // A JSON script is not executed, so the content security policy needs no exception; a `<` could end it early.
  const json = JSON.stringify({ language, ...answers, rawPrices: RAW_PRICES }).replaceAll('<', '\\u003c')
  const rows = `<div id="root">${markup}</div><script type="application/json" id="first-data">${json}</script>`
  // `page/before-paint.js` compares this with the requested instrument.
  const shown = /^[\w.-]+$/.test(instrument ?? '') ? ` data-instrument="${instrument}"` : ''
  return template
    .replace(
      OPENING,
      () =>
        `<html lang="${tag}" dir="${directionOf(languageOfCode(language))}" data-language="${language}"${shown}>`,
    )
    .replace(EMPTY, () => rows)
}

parentPort?.on('message', ({ id, request }: { id: number; request: RenderRequest }) => {
  const respond = (answer: RenderResult) => parentPort?.postMessage({ id, answer })
  answerTo(request).then(
    (text) => respond({ text }),
    (error: unknown) =>
      respond({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
