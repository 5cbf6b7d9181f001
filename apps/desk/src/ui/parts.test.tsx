import { object } from '@fairlot/contract'
import {
  DESK_PAGE_ROWS,
  type DeskEndpoint,
  getDeskSelf,
  listOperators,
  usersFile,
} from '@fairlot/contract/desk'
import { Dot } from '@fairlot/ui/feedback/dot.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { Toaster } from '@fairlot/ui/feedback/toaster.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Steps } from '../features/waiting/case-body.tsx'
import { keyOf, queryClient, usePaged } from '../live/queries.ts'
import { operator, PHONE, savedName, self, withFakeServer } from '../testing/app.tsx'
import { answer, file } from '../testing/fake-server.ts'
import { DataTable } from './data-table.tsx'
import { CsvButton } from './file-button.tsx'
import { Page } from './page.tsx'
import { DetailHead, TitledBox } from './split-view.tsx'

withFakeServer()

describe('a list fetched in pages', () => {
  type Operators = Parameters<typeof answer<null, { operators: readonly ReturnType<typeof operator>[] }>>[0]
  /** The list of operators, fetched page by page. */
  const paged = { ...listOperators, request: object({}) } as unknown as DeskEndpoint<
    { page: number },
    { operators: readonly ReturnType<typeof operator>[] }
  >

  function List() {
    const { table } = usePaged(paged, {}, { rowsOf: (page) => page.operators })
    const columns = [{ key: 'name', title: 'Name', cell: ({ name }: { name: string }) => name }]
    return (
      <DataTable label="All" columns={columns} keyOf={({ id }) => id} empty={{ title: 'None' }} {...table} />
    )
  }

  const operators = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) =>
      operator({ id: from + index, name: `Operator ${from + index}` }),
    )

  test('shows a page, loads more on request, and ends with a page that is not full', async () => {
    let pages = 0
    answer(listOperators as Operators, () => {
      pages += 1
      return { operators: pages === 1 ? operators(DESK_PAGE_ROWS, 1) : operators(2, DESK_PAGE_ROWS + 1) }
    })
    await render(
      <QueryClientProvider client={queryClient}>
        <List />
      </QueryClientProvider>,
    )
    await page.getByRole('button', { name: 'More' }).click()
    await expect.element(page.getByText('Operator 52')).toBeInTheDocument()
    await expect.element(page.getByText('Operator 1', { exact: true })).toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'More' })).not.toBeInTheDocument()
  })

  test('shows a text for an empty list', async () => {
    answer(listOperators as Operators, { operators: [] })
    await render(
      <QueryClientProvider client={queryClient}>
        <List />
      </QueryClientProvider>,
    )
    await expect.element(page.getByText('None')).toBeVisible()
  })
})

describe('a page', () => {
  let searched: string[] = []
  beforeEach(() => void (searched = []))

  const open = () =>
    render(
      <Page
        title="Waiting"
        filter={{ options: [{ key: 'all', label: 'All', count: 14 }], selected: 'all', onSelect: () => {} }}
        search={{ label: 'Find a user', value: '', onSearch: (text) => void searched.push(text) }}
        footer={
          <FigureRow>
            <FigureCard label="Broker's result today" value="+1,842.07" tone="up">
              since midnight
            </FigureCard>
          </FigureRow>
        }
      >
        rows
      </Page>,
    )

  test('scrolls the selected filter into view, also when the selection changes', async () => {
    await page.viewport(...PHONE)
    const options = Array.from({ length: 12 }, (_, index) => ({
      key: String(index),
      label: `Filter ${index}`,
    }))
    const at = (selected: string) => (
      <Page title="Market" filter={{ options, selected, onSelect: () => {} }}>
        rows
      </Page>
    )
    const { rerender } = await render(at('9'))
    const edgesOf = (name: string) => page.getByRole('button', { name }).element().getBoundingClientRect()
    const isInView = (name: string) => edgesOf(name).left >= 0 && edgesOf(name).right <= PHONE[0]
    expect([isInView('Filter 9'), isInView('Filter 0')]).toEqual([true, false])
    await rerender(at('0'))
    expect(isInView('Filter 0')).toBe(true)
    expect(scrollY).toBe(0)
  })

  test('focuses the search on a slash and leaves it on Escape', async () => {
    await open()
    await userEvent.keyboard('/')
    const search = page.getByRole('searchbox', { name: 'Find a user' })
    await expect.element(search).toHaveFocus()
    await userEvent.keyboard('1004{Enter}')
    expect(searched).toContain('1004')
    await userEvent.keyboard('{Escape}')
    expect(searched.at(-1)).toBe('')
    await expect.element(search).not.toHaveFocus()
  })

  test('searches without the spaces around a text, and once for one text', async () => {
    await open()
    const search = page.getByRole('searchbox', { name: 'Find a user' })
    await search.fill(' 1004 ')
    await expect.poll(() => searched).toEqual(['1004'])
    // Another space is no other text; the next text is.
    await search.fill(' 1004  ')
    await search.fill('1005')
    await expect.poll(() => searched).toEqual(['1004', '1005'])
  })

  test('shows the count of a filter, and figures', async () => {
    await open()
    await expect.element(page.getByRole('button', { name: 'All 14' })).toHaveAttribute('aria-pressed', 'true')
    await expect
      .element(page.getByRole('region', { name: "Broker's result today" }).getByText('+1,842.07'))
      .toBeVisible()
  })
})

test('a case shows its timeline and what the user sees', async () => {
  await render(
    <>
      <DetailHead kind="Withdrawal 2041" title="12,400.00" unit="USDT" badge={<Dot tone="danger" />} />
      <Steps
        label="Timeline"
        steps={[
          { title: 'Requested', note: '22 Nov, 09:12', state: 'done' },
          { title: 'You approve', state: 'now' },
          { title: 'Paid', state: 'ahead' },
        ]}
      />
      <TitledBox title="Shown to the user">Being checked.</TitledBox>
    </>,
  )
  await expect.element(page.getByRole('listitem').nth(0).getByText(', done')).toBeInTheDocument()
  await expect.element(page.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step')
})

describe('the export of a list', () => {
  const shown = (as = self()) => {
    queryClient.setQueryData(keyOf(getDeskSelf, null), as)
    return render(
      <QueryClientProvider client={queryClient}>
        <CsvButton file={usersFile} input={{ query: 'a b' }} of="today" />
        <Toaster closeLabel="Close" />
      </QueryClientProvider>,
    )
  }

  test('is fetched with the session token and the parameters of the list', async () => {
    file('/desk/api/people.csv?query=a+b', 'a,b')
    await shown()
    const press = () => page.getByRole('button', { name: 'Export' }).click()
    expect(await savedName(press)).toBe('people-today.csv')
  })

  test('says when it failed', async () => {
    await shown()
    await page.getByRole('button', { name: 'Export' }).click()
    await expect.element(page.getByText(/The server did not answer/).first()).toBeVisible()
  })

  test('is not offered to roles that may not export', async () => {
    await shown(self({ role: 'support' }))
    expect(page.getByRole('button', { name: 'Export' }).query()).toBe(null)
  })
})
