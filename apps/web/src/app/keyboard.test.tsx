import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DESKTOP, openApp, withFakeServer } from '../testing/app.tsx'

withFakeServer()

const list = () => page.getByRole('complementary', { name: 'Markets' }).getByRole('list')
const row = (name: RegExp) => list().getByRole('link', { name })
const shortcuts = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const focused = () => document.activeElement?.textContent ?? ''

async function openWorkspace(): Promise<void> {
  await openApp('/', { as: 'demo', size: DESKTOP })
  await expect.element(row(/EUR\/USD/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Buy .* at/ })).toBeEnabled()
}

test('Buy can be reached with a few tab stops', async () => {
  await openWorkspace()
  let stops = 0
  while (!/^Buy .* at/.test(focused()) && stops < 20) {
    await userEvent.tab()
    stops += 1
    if (focused() === 'Skip to Sell and Buy') await userEvent.keyboard('{Enter}')
  }
  expect(stops).toBeLessThanOrEqual(10)
})

test('the list is one tab stop, and arrow keys move within it', async () => {
  await openWorkspace()
  row(/EUR\/USD/)
    .element()
    .focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(row(/XAU\/USD/)).toHaveFocus()
  await userEvent.keyboard('{End}')
  await userEvent.keyboard('{Home}')
  await expect.element(row(/EUR\/USD/)).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(list().getByRole('button').first()).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(row(/EUR\/USD/)).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await userEvent.tab()
  expect(list().element().contains(document.activeElement)).toBe(false)
  await userEvent.tab({ shift: true })
  await expect.element(row(/XAU\/USD/)).toHaveFocus()
})

test('the categories are one tab stop, and arrow keys move between them', async () => {
  await openWorkspace()
  const chips = page.getByRole('complementary', { name: 'Markets' }).getByRole('group')
  const all = chips.getByRole('button', { name: 'All', exact: true })
  all.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(chips.getByRole('button', { name: 'Watchlist' })).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(all).toHaveFocus()
  await userEvent.tab()
  expect(list().element().contains(document.activeElement)).toBe(true)
})

test('a question mark lists the shortcuts, each time, but not inside a text field', async () => {
  await openWorkspace()
  for (let round = 0; round < 2; round += 1) {
    await userEvent.keyboard('?')
    await expect.element(shortcuts()).toMatchTextContent('Search instruments')
    await userEvent.keyboard('{Escape}')
    await expect.element(shortcuts()).not.toBeInTheDocument()
  }
  await page.getByRole('searchbox').click()
  await userEvent.keyboard('?')
  await expect.element(page.getByRole('searchbox')).toHaveValue('?')
  await expect.element(shortcuts()).not.toBeInTheDocument()
})

test('t moves the focus to Sell and Buy without pressing either', async () => {
  await openWorkspace()
  await userEvent.keyboard('t')
  await userEvent.tab()
  expect(focused()).toMatch(/^Sell .* at/)
})

test('arrow keys change the figures of the ticket by a step', async () => {
  await openWorkspace()
  const lots = page.getByRole('textbox', { name: 'Lots' })
  lots.element().focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}')
  await expect.element(lots).toHaveValue('0.02')
})
