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
import { openDesk, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, refuse, tellChanged } from '../../testing/fake-server.ts'

withFakeServer()

const EN = { language: 'en', title: 'Gold opens', summary: 'On Monday', body: '<p>At eight.</p>' } as const
const item = (change: Partial<ContentItem> = {}): ContentItem => ({
  ...{ id: 7, kind: 'news', category: 'market', status: 'draft', version: 3, publishAt: null },
  ...{ isPinned: false, picture: null, changedAt: Date.UTC(2026, 10, 22), changedBy: 'S. Support' },
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

/** By the last field for pictures there is: a dialog stands above the page. */
async function choose(): Promise<void> {
  const pickers = [...document.querySelectorAll<HTMLInputElement>('input[type=file]:not([capture])')]
  const picker = pickers.at(-1)
  if (!picker) throw new Error('there is nothing to choose by')
  await userEvent.upload(picker, new File(['x'], 'chart.png', { type: 'image/png' }))
}

describe('the editor of news', () => {
  test('saves the languages that were changed, and says which are missing', async () => {
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
    expect(asked(saveContent)).toMatchObject([{ id: 7, version: 3, texts: [german] }])
  })

  test('shows what a reader would see', async () => {
    await openEditor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await title().fill('Gold closes')
    await expect.element(preview.getByRole('heading', { name: 'Gold closes' })).toBeVisible()
  })

  test('takes pictures, for the item and into its text, and tells why one is refused', async () => {
    await openEditor()
    const url = `/files/${'k'.repeat(32)}.webp`
    refuse(uploadPublicPicture, 'pictureBroken', 'This picture cannot be read.')
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
    await page.getByLabelText('In words').fill('A chart')
    await press('Insert')
    answer(saveContent, { id: 7, version: 4 })
    await press('Save')
    const body = `<img src="${url}" alt="A chart">`
    expect(asked(saveContent)).toMatchObject([
      {
        picture: url.replace('/files/', ''),
        texts: [{ language: 'de', body: expect.stringContaining(body) }],
      },
    ])
  })

  test('says when somebody else has saved it, and keeps the own words until they are given up', async () => {
    await openEditor()
    await title().fill('Mine')
    answer(getContent, item({ version: 4, texts: [{ ...EN, title: 'Theirs' }] }))
    tellChanged('content')
    await expect.element(page.getByText(/saved since you opened it/)).toBeVisible()
    await expect.element(title()).toHaveValue('Mine')
    refuse(saveContent, 'formOutdated', 'Somebody has changed this.')
    await press('Save')
    await expect.element(page.getByText('Somebody has changed this.').first()).toBeVisible()
    await press('Show what is there now')
    await expect.element(title()).toHaveValue('Theirs')
  })

  test('publishes from a moment on', async () => {
    await openEditor()
    await press('Publish')
    await page.getByText('From a moment on').click()
    await page.getByLabelText('Reason').fill('opening hours')
    await press('Publish')
    await expect.element(page.getByText('Say from when.')).toBeVisible()
    await page.getByLabelText('From (UTC)').fill('2026-12-01T09:30')
    answer(publishContent, { id: 7, version: 4 })
    await press('Publish')
    await settled()
    const publishAt = Date.UTC(2026, 11, 1, 9, 30)
    expect(asked(publishContent)).toEqual([{ id: 7, version: 3, publishAt, reason: 'opening hours' }])
  })

  test('is only read by whoever may not write', async () => {
    await openEditor(item(), { as: self({ role: 'finance' }) })
    expect(page.getByRole('button', { name: 'Save' }).query()).toBe(null)
    expect(page.getByRole('toolbar').query()).toBe(null)
  })
})

test('the list of news leads to the editor', async () => {
  const { texts: _texts, ...head } = item()
  const row = { ...head, title: 'Gold opens', languages: ['en'] } as const
  const shipped = { ...row, id: row.id + 1, title: 'A sample', changedBy: '' }
  answer(listContent, { items: [row, shipped], total: 2 })
  answer(getContent, item())
  answer(listContentVersions, { versions: [] })
  answer(previewContent, { shown: EN })
  await openDesk('/content')
  await expect.element(page.getByRole('row', { name: /A sample.*, with the software/ })).toBeVisible()
  await page.getByRole('row', { name: /Gold opens/ }).click()
  await expect.element(title()).toHaveValue('Gold opens')
})
