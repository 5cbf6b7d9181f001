import {
  getContent,
  listContent,
  listContentVersions,
  previewContent,
  publishContent,
  saveContent,
  uploadPublicPicture,
  type ContentItem,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { logOut } from '../../live/session.ts'
import { logInAgain, openDesk, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, reject, pushChanged } from '../../testing/fake-server.ts'

withFakeServer()

const EN = { language: 'en', title: 'Gold opens', summary: 'On Monday', body: '<p>At eight.</p>' } as const
const item = (change: Partial<ContentItem> = {}): ContentItem => ({
  id: 7,
  kind: 'news',
  category: 'market',
  status: 'draft',
  version: 3,
  publishAt: null,
  isPinned: false,
  picture: null,
  changedAt: Date.UTC(2026, 10, 22),
  changedBy: 'S. Support',
  texts: [EN],
  ...change,
})

async function openEditor(opened = item(), options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(getContent, opened)
  answer(listContentVersions, { versions: [] })
  answer(previewContent, ({ texts }) => ({ shown: texts[0] ?? null }))
  await openDesk(`/content/news/${opened.id}`, options)
  await expect.element(title()).toHaveValue('Gold opens')
}

const title = () => page.getByLabelText('Title')
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

/** Uses the last file input, which is that of the dialog when one is open. */
async function choose(): Promise<void> {
  const pickers = [...document.querySelectorAll<HTMLInputElement>('input[type=file]:not([capture])')]
  const picker = pickers.at(-1)
  if (!picker) throw new Error('no file input is shown')
  await userEvent.upload(picker, new File(['x'], 'chart.png', { type: 'image/png' }))
}

describe('the editor of news', () => {
  test('saves the changed languages, and marks those that are missing', async () => {
    await openEditor()
    await expect.element(page.getByRole('button', { name: 'English, written' })).toBeVisible()
    await page.getByRole('button', { name: 'German, missing' }).click()
    await title().fill('Gold öffnet')
    await page.getByRole('textbox', { name: 'Text' }).click()
    await userEvent.keyboard('Um acht.')
    await expect.element(page.getByRole('button', { name: 'German, written' })).toBeVisible()
    answer(saveContent, { id: 7, version: 4 })
    await press('Save')
    const german = { language: 'de', title: 'Gold öffnet', summary: '', body: '<p>Um acht.</p>' }
    expect(inputsOf(saveContent)).toMatchObject([{ id: 7, version: 3, texts: [german] }])
  })

  test('shows a preview for readers', async () => {
    await openEditor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await title().fill('Gold closes')
    await expect.element(preview.getByRole('heading', { name: 'Gold closes' })).toBeVisible()
  })

  test('keeps a table when the text around it is changed, and previews it as one', async () => {
    const table =
      '<table><thead><tr><th colspan="2">Gold</th></tr></thead><tbody><tr><td>10</td><td rowspan="2">1500.50</td></tr></tbody></table>'
    await openEditor(item({ texts: [{ ...EN, body: `<p>At eight.</p>${table}` }] }))
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect.element(preview.getByRole('cell', { name: '1500.50' })).toBeVisible()
    expect(getComputedStyle(preview.getByRole('table').element()).overflowX).toBe('auto')
    await page.getByRole('textbox', { name: 'Text' }).getByText('At eight.').click()
    await userEvent.keyboard('{End} Sharp.')
    answer(saveContent, { id: 7, version: 4 })
    await press('Save')
    const body = inputsOf(saveContent)[0]?.texts[0]?.body ?? ''
    expect(body).toContain('Sharp.')
    expect(body).toContain('<th colspan="2"><p>Gold</p></th>')
    expect(body).toContain('<td><p>10</p></td><td rowspan="2"><p>1500.50</p></td>')
  })

  test('accepts pictures for the item and in its text, and says why one is rejected', async () => {
    await openEditor()
    const url = `/files/${'k'.repeat(32)}.webp`
    reject(uploadPublicPicture, 'pictureBroken', 'This picture cannot be read.')
    await choose()
    await expect.element(page.getByText('This picture cannot be read.')).toBeVisible()
    answer(uploadPublicPicture, { url })
    await choose()
    await expect.element(page.getByRole('button', { name: 'Remove' })).toBeVisible()
    await page.getByRole('button', { name: 'German, missing' }).click()
    await title().fill('Gold')
    await page.getByRole('toolbar').getByRole('button', { name: 'Picture' }).click()
    await press('Insert')
    await expect.element(page.getByText('Choose a picture.')).toBeVisible()
    await choose()
    await page.getByLabelText('Description').fill('A chart')
    await press('Insert')
    answer(saveContent, { id: 7, version: 4 })
    await press('Save')
    const body = `<img src="${url}" alt="A chart">`
    expect(inputsOf(saveContent)).toMatchObject([
      {
        picture: url.replace('/files/', ''),
        texts: [{ language: 'de', body: expect.stringContaining(body) }],
      },
    ])
  })

  test('says when another operator has saved it, and keeps unsaved changes until they are discarded', async () => {
    await openEditor()
    await title().fill('Mine')
    answer(getContent, item({ version: 4, texts: [{ ...EN, title: 'Theirs' }] }))
    pushChanged('content')
    await expect.element(page.getByText(/saved this since you opened it/)).toBeVisible()
    await expect.element(title()).toHaveValue('Mine')
    reject(saveContent, 'formOutdated', 'Another operator has changed this.')
    await press('Save')
    await expect.element(page.getByText('Another operator has changed this.').first()).toBeVisible()
    await press('Show the latest version')
    await expect.element(title()).toHaveValue('Theirs')
  })

  test('publishes at a scheduled time', async () => {
    await openEditor()
    await press('Publish')
    await page.getByText('Scheduled').click()
    await page.getByLabelText('Reason').fill('opening hours')
    await press('Publish')
    await expect.element(page.getByText('Enter a publication time.')).toBeVisible()
    await page.getByLabelText('From (UTC)').fill('2026-12-01T09:30')
    answer(publishContent, { id: 7, version: 4 })
    await press('Publish')
    await settled()
    const publishAt = Date.UTC(2026, 11, 1, 9, 30)
    expect(inputsOf(publishContent)).toEqual([{ id: 7, version: 3, publishAt, reason: 'opening hours' }])
  })

  test('is read-only for roles that may not edit', async () => {
    await openEditor(item(), { as: self({ role: 'finance' }) })
    expect(page.getByRole('button', { name: 'Save' }).query()).toBe(null)
    expect(page.getByRole('toolbar').query()).toBe(null)
  })
})

test('a row of the news list opens the editor', async () => {
  const { texts: _texts, ...head } = item()
  const row = { ...head, title: 'Gold opens', languages: ['en'] } as const
  const sample = { ...row, id: row.id + 1, title: 'A sample', changedBy: '' }
  answer(listContent, { items: [row, sample], total: 2 })
  answer(getContent, item())
  answer(listContentVersions, { versions: [] })
  answer(previewContent, { shown: EN })
  await openDesk('/content')
  await expect.element(page.getByRole('row', { name: /A sample.*, default text/ })).toBeVisible()
  await page.getByRole('row', { name: /Gold opens/ }).click()
  await expect.element(title()).toHaveValue('Gold opens')
})

describe('a session that ends under the editor', () => {
  const text = () => page.getByRole('textbox', { name: 'Text' })
  const endWhileSaving = async () => {
    await openEditor()
    await title().fill('Gold closes')
    await text().click()
    await userEvent.keyboard(' Half-written.')
    reject(saveContent, 'sessionGone', 'Log in again.')
    await press('Save')
    await expect.element(page.getByText(/What you had entered is there again/)).toBeVisible()
    answer(saveContent, { id: 7, version: 4 })
  }

  test('loses nothing: it is there after the log-in, and is saved', async () => {
    await endWhileSaving()
    await logInAgain()
    await expect.element(title()).toHaveValue('Gold closes')
    await expect.element(text()).toMatchTextContent(/Half-written/)
    await press('Save')
    await expect.poll(() => inputsOf(saveContent).at(-1)).toMatchObject({ version: 3 })
    expect(inputsOf(saveContent).at(-1)?.texts[0]?.title).toBe('Gold closes')
  })

  test.each([
    { tool: 'Link', label: 'Address', typed: 'https://broker.example/gold' },
    { tool: 'Picture', label: 'Description', typed: 'A chart of gold' },
  ])('keeps what was typed into the dialog of a $tool, for nobody else', async ({ tool, label, typed }) => {
    const open = () => page.getByRole('toolbar').getByRole('button', { name: tool }).click()
    const field = () => page.getByRole('dialog').getByLabelText(label)
    await openEditor()
    await open()
    await field().fill(typed)
    await logOut('idle')
    await logInAgain()
    await open()
    await expect.element(field()).toHaveValue(typed)
    await logOut('idle')
    await logInAgain(self({ id: 5, name: 'E. Editor' }))
    await open()
    await expect.element(field()).toHaveValue('')
  })

  test('shows nothing of it to another operator, nor to the first one after that', async () => {
    await endWhileSaving()
    await logInAgain(self({ id: 5, name: 'E. Editor' }))
    await expect.element(title()).toHaveValue('Gold opens')
    await page.getByRole('button', { name: /E\. Editor/ }).click()
    await press('Log out')
    await logInAgain()
    await expect.element(title()).toHaveValue('Gold opens')
  })

  test('does not replace what another operator has saved meanwhile', async () => {
    await endWhileSaving()
    answer(getContent, item({ version: 4, texts: [{ ...EN, title: 'Gold stays' }] }))
    await logInAgain()
    await expect.element(title()).toHaveValue('Gold closes')
    await expect.element(page.getByText(/Another operator has saved this/)).toBeVisible()
    await press('Save')
    await expect.poll(() => inputsOf(saveContent).at(-1)).toMatchObject({ version: 3 })
    await press('Show the latest version')
    await expect.element(title()).toHaveValue('Gold stays')
    await expect.element(text()).not.toMatchTextContent(/Half-written/)
  })
})
