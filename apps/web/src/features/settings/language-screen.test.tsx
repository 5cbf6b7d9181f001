import { listCategories, submitOrder } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../i18n/language.ts'
import { textLanguage } from '../../i18n/message-catalogue.ts'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, headersOf, inputsOf } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const language = (name: string | RegExp) => page.getByRole('button', { name })

describe('the language list', () => {
  test('contains all languages, each by its own name', async () => {
    await openApp('/language')
    const list = page.getByRole('list', { name: 'Language' })
    await expect.element(list).toBeVisible()
    for (const { name } of Object.values(LANGUAGES)) await expect.element(list).toMatchTextContent(name)
    expect(list.getByRole('listitem').elements()).toHaveLength(15)
  })

  test('marks the language in use', async () => {
    await openApp('/language')
    await expect.element(language('English')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(language('繁體中文')).toHaveAttribute('aria-pressed', 'false')
  })

  test('applies a choice at once, keeps it, and sends it to the server', async () => {
    await openApp('/language')
    await language('繁體中文').click()
    await expect.poll(() => document.documentElement.lang).toBe('zh-HK')
    await expect.element(page.getByRole('heading', { name: 'Language' })).not.toBeInTheDocument()
    expect(localStorage.getItem('fairlot.language')).toBe('hk')
    location.hash = '#/'
    await expect.poll(() => headersOf(listCategories).at(-1)?.get('lang')).toBe('hk')
  })

  test('changes to Arabic, from right to left', async () => {
    await openApp('/language')
    await language(/العربية/).click()
    await expect.element(language(/العربية/)).toHaveAttribute('aria-pressed', 'true')
    await expect.element(page.getByRole('heading', { name: 'اللغة' })).toBeVisible()
    await expect.poll(() => document.documentElement.dir).toBe('rtl')
  })

  test('says of a language without texts that it is English for now', async () => {
    await openApp('/language')
    for (const code of LANGUAGE_CODES) {
      const row = page.getByRole('button', { name: new RegExp(`^${LANGUAGES[code].name}`) })
      const isOwn = textLanguage(code) === code
      expect(row.element().textContent.includes('English for now'), code).toBe(!isOwn)
    }
  })

  test('writes Arabic right to left within the list', async () => {
    await openApp('/language')
    await expect.element(page.getByText('العربية')).toHaveAttribute('dir', 'rtl')
    await expect.element(page.getByText('العربية')).toHaveAttribute('lang', 'ar')
  })

  test('the settings name the language in use', async () => {
    await openApp('/mine/system', { language: 'hk' })
    await expect.element(page.getByRole('link', { name: /繁體中文/ })).toBeVisible()
  })
})

test('a change of language keeps the order that is being written', async () => {
  answer(submitOrder, { ...sample.position(), warning: null })
  await openApp('/trade', { as: 'demo' })
  await page.getByRole('textbox', { name: /^Lots/ }).fill('0.25')
  await page.getByRole('textbox', { name: /^Stop loss/ }).fill('1.0812')
  location.hash = '#/language'
  await language(/Deutsch/).click()
  await expect.poll(() => document.documentElement.lang).toBe('de')
  location.hash = '#/trade'
  await expect.element(page.getByRole('textbox', { name: /^Lots/ })).toHaveValue('0,25')
  await expect.element(page.getByRole('textbox', { name: /^Stop-Loss/i })).toHaveValue('1,0812')
  await page.getByRole('button', { name: /^Kaufen/ }).click()
  await expect
    .poll(() => inputsOf(submitOrder))
    .toMatchObject([{ side: 'buy', lots: 2_500, stopLoss: 1.0812 }])
  expect(headersOf(submitOrder)[0]?.get('lang')).toBe('de')
})

describe('a right-to-left page', () => {
  test.each(['/', '/trade', '/order', '/user', '/login', '/mine/system'])(
    '%s fits the screen, and figures keep their order',
    async (path) => {
      await openApp(path, { as: 'demo' })
      document.documentElement.dir = 'rtl'
      await expect.element(page.getByRole('heading').first()).toBeInTheDocument()
      expect(overflowing()).toEqual([])
      for (const figure of document.querySelectorAll('bdi[dir="ltr"]'))
        expect(getComputedStyle(figure).direction).toBe('ltr')
    },
  )
})
