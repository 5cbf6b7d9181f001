import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BasicInfo } from '@fairlot/contract'
import { fromUnits, money } from '@fairlot/core'
import { afterAll, expect, test } from 'vitest'
import { createFirstPageThread } from './first-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairlot-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return pathToFileURL(join(folder, name)).href
}

const RENDERER = `
  export const firstLanguage = ({ langQuery }) => langQuery ?? 'en'
  export const renderFirstPage = async (language) => {
    if (language === 'th') throw new Error('no words')
    return { markup: '<p>rows</p>', tag: 'fr-FR', instrument: 'EURUSD' }
  }`
const files = {
  renderer: written('renderer.mjs', RENDERER),
  template: '<html lang="zh-HK" dir="ltr"><body><div id="root"></div></body></html>',
}
const basicInfo: BasicInfo = {
  serviceLink: '',
  serviceOpensIn: 'chat',
  registrationCheck: 'code',
  feeType: 'rate',
  creditScore: 0,
  appMode: 'broker',
  currency: 'USD',
  riskWarning: 'Risk',
  freshnessMs: 1,
  tradingMode: 'normal',
  tradingReason: '',
  warningLevel: fromUnits(100n, 0),
  stopOutLevel: fromUnits(50n, 0),
  needsIdentityToWithdraw: true,
  demoBalance: money(1n),
  demoBalanceMin: money(1n),
  demoBalanceMax: money(1n),
  cardLink: '',
  isSingleOperator: false,
  recoveryAt: null,
  recoveryReason: '',
  passkeyDomain: null,
  apiVersion: 1,
  marketTime: 1,
}
const data = { basicInfo, instruments: [], categories: [{ id: 1, name: '</script><script>alert(1)' }] }

test('a page contains the rows, its language and the data for the app', async () => {
  const thread = createFirstPageThread(files)
  expect(await thread.languageOf({ langQuery: 'fr', acceptLanguage: '' })).toBe('fr')
  const page = await thread.render('fr', data)
  expect(page).toContain('<html lang="fr-FR" dir="ltr" data-language="fr" data-instrument="EURUSD">')
  expect(page).toContain('<div id="root"><p>rows</p></div>')
  expect(page.match(/<\/script>/g)).toHaveLength(1)
  await thread.stop()
})

test('a page in Arabic is laid out from right to left from the first paint', async () => {
  const thread = createFirstPageThread(files)
  expect(await thread.render('ar', data)).toMatch(/^<html lang="[^"]+" dir="rtl" data-language="ar"/)
  await thread.stop()
})

test('a failed rendering reports its error, and the next one succeeds', async () => {
  const thread = createFirstPageThread(files)
  await expect(thread.render('th', data)).rejects.toThrow('no words')
  expect(await thread.render('en', data)).toContain('rows')
  await thread.stop()
})

test('requests waiting for a thread that ends are rejected, and the next request starts another', async () => {
  const thread = createFirstPageThread(files)
  const waiting = expect(thread.render('en', data)).rejects.toThrow('has ended')
  await thread.stop()
  await waiting
  expect(await thread.render('en', data)).toContain('rows')
  await thread.stop()
})

test('a renderer that cannot be loaded is reported', async () => {
  const broken = createFirstPageThread({ ...files, renderer: 'file:///nowhere.mjs' })
  await expect(broken.render('en', data)).rejects.toThrow('nowhere')
})
