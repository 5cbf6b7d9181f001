import { listCategories } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { LANGUAGES } from '../../i18n/language.ts'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { askedWith } from '../../testing/fake-server.ts'

withFakeServer()

const language = (name: string | RegExp) => page.getByRole('button', { name })

describe('the languages', () => {
  test('are all there, each in its own words and letters', async () => {
    await openApp('/language')
    const list = page.getByRole('list', { name: 'Language' })
    await expect.element(list).toBeVisible()
    for (const { name } of LANGUAGES) await expect.element(list).toMatchTextContent(name)
    expect(list.getByRole('listitem').elements()).toHaveLength(LANGUAGES.length)
  })

  test('the one in use is marked', async () => {
    await openApp('/language')
    await expect.element(language('English')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(language('繁體中文')).toHaveAttribute('aria-pressed', 'false')
  })

  test('one that is chosen is there at once, for good, and for the server too', async () => {
    await openApp('/language')
    await language('繁體中文').click()
    await expect.poll(() => document.documentElement.lang).toBe('zh-HK')
    await expect.element(page.getByRole('heading', { name: 'Language' })).not.toBeInTheDocument()
    expect(localStorage.getItem('fairlot.language')).toBe('hk')
    location.hash = '#/'
    await expect.poll(() => askedWith(listCategories).at(-1)?.get('lang')).toBe('hk')
  })

  test('without its own texts is said to be in English for now, and is', async () => {
    await openApp('/language')
    await expect.element(language(/العربية/)).toMatchTextContent('English for now')
    await language(/العربية/).click()
    await expect.element(language(/العربية/)).toHaveAttribute('aria-pressed', 'true')
    await expect.element(page.getByRole('heading', { name: 'Language' })).toBeVisible()
    expect(document.documentElement.dir).toBe('ltr')
  })

  test('Arabic is written from the right in the list of all', async () => {
    await openApp('/language')
    await expect.element(page.getByText('العربية')).toHaveAttribute('dir', 'rtl')
    await expect.element(page.getByText('العربية')).toHaveAttribute('lang', 'ar')
  })

  test('the settings name the one in use', async () => {
    await openApp('/mine/system', { language: 'hk' })
    await expect.element(page.getByRole('link', { name: /繁體中文/ })).toBeVisible()
  })
})

describe('a page that is read from the right', () => {
  test.each(['/', '/trade', '/order', '/user', '/login', '/mine/system'])(
    '%s fits the screen, and figures keep their order',
    async (path) => {
      await openApp(path, { as: 'demo' })
      document.documentElement.dir = 'rtl'
      await expect.element(page.getByRole('heading').first()).toBeInTheDocument()
      expect(sticksOut()).toEqual([])
      for (const figure of document.querySelectorAll('bdi[dir="ltr"]'))
        expect(getComputedStyle(figure).direction).toBe('ltr')
    },
  )
})
