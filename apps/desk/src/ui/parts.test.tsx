import {
  DESK_PAGE_ROWS,
  type DeskEndpoint,
  getDeskSelf,
  listOperators,
  peopleFile,
} from '@fairlot/contract/desk'
import { noun } from '@fairlot/contract'
import { Dot } from '@fairlot/ui/dot.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { Toaster } from '@fairlot/ui/toaster.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { keyOf, queryClient } from '../live/query-client.ts'
import { usePaged } from '../live/use-paged.ts'
import { operator, PHONE, savedName, self, withFakeServer } from '../testing/app.tsx'
import { answer, file } from '../testing/fake-server.ts'
import { CsvButton } from './csv-button.tsx'
import { DataTable } from './data-table.tsx'
import { Page } from './page.tsx'
import { DetailHead, Passage } from './split-view.tsx'
import { Steps } from './steps.tsx'

withFakeServer()

describe('a list that comes in pages', () => {
  type Operators = Parameters<typeof answer<null, { operators: readonly ReturnType<typeof operator>[] }>>[0]
  /** The list of operators, asked page by page. */
  const paged = { ...listOperators, request: noun({}) } as unknown as DeskEndpoint<
    { page: number },
    { operators: readonly ReturnType<typeof operator>[] }
  >

  function List() {
    const { table } = usePaged(paged, {}, { rowsOf: ({ operators }) => operators })
    const columns = [{ key: 'name', title: 'Name', cell: ({ name }: { name: string }) => name }]
    return (
      <DataTable label="All" columns={columns} keyOf={({ id }) => id} empty={{ title: 'None' }} {...table} />
    )
  }

  const people = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) =>
      operator({ id: from + index, name: `Person ${from + index}` }),
    )

  test('shows a page, asks for more, and ends with a short one', async () => {
    let pages = 0
    answer(listOperators as Operators, () => {
      pages += 1
      return { operators: pages === 1 ? people(DESK_PAGE_ROWS, 1) : people(2, DESK_PAGE_ROWS + 1) }
    })
    await render(
      <QueryClientProvider client={queryClient}>
        <List />
      </QueryClientProvider>,
    )
    await page.getByRole('button', { name: 'More' }).click()
    await expect.element(page.getByText('Person 52')).toBeInTheDocument()
    await expect.element(page.getByText('Person 1', { exact: true })).toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'More' })).not.toBeInTheDocument()
  })

  test('says what will be here while there is nothing', async () => {
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
        search={{ label: 'Find a person', value: '', onSearch: (text) => void searched.push(text) }}
        foot={
          <FigureRow>
            <FigureCard label="House today" value="+1,842.07" tone="up">
              since midnight
            </FigureCard>
          </FigureRow>
        }
      >
        rows
      </Page>,
    )

  test('brings the filter that is chosen into sight, also when another one is', async () => {
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
    const isInSight = (name: string) => edgesOf(name).left >= 0 && edgesOf(name).right <= PHONE[0]
    expect([isInSight('Filter 9'), isInSight('Filter 0')]).toEqual([true, false])
    await rerender(at('0'))
    expect(isInSight('Filter 0')).toBe(true)
    expect(scrollY).toBe(0)
  })

  test('is searched by a slash, and left by Escape', async () => {
    await open()
    await userEvent.keyboard('/')
    const search = page.getByRole('searchbox', { name: 'Find a person' })
    await expect.element(search).toHaveFocus()
    await userEvent.keyboard('1004{Enter}')
    expect(searched).toContain('1004')
    await userEvent.keyboard('{Escape}')
    expect(searched.at(-1)).toBe('')
    await expect.element(search).not.toHaveFocus()
  })

  test('says how many a filter has, and its figures', async () => {
    await open()
    await expect.element(page.getByRole('button', { name: 'All 14' })).toHaveAttribute('aria-pressed', 'true')
    await expect
      .element(page.getByRole('region', { name: 'House today' }).getByText('+1,842.07'))
      .toBeVisible()
  })
})

test('a case shows what decides it, its road and what the person sees', async () => {
  await render(
    <>
      <DetailHead kind="Withdrawal 2041" title="12,400.00" unit="USDT" badge={<Dot tone="danger" />} />
      <Steps
        label="Its road"
        steps={[
          { title: 'Asked', note: '22 Nov, 09:12', state: 'done' },
          { title: 'You approve', state: 'now' },
          { title: 'Paid', state: 'ahead' },
        ]}
      />
      <Passage title="What the person sees">Being checked.</Passage>
    </>,
  )
  await expect.element(page.getByRole('listitem').nth(0).getByText(', done')).toBeInTheDocument()
  await expect.element(page.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step')
})

describe('a list as a file', () => {
  const shown = (as = self()) => {
    queryClient.setQueryData(keyOf(getDeskSelf, null), as)
    return render(
      <QueryClientProvider client={queryClient}>
        <CsvButton file={peopleFile} input={{ query: 'a b' }} of="today" />
        <Toaster closeLabel="Close" />
      </QueryClientProvider>,
    )
  }

  test('is fetched with the key of the session, and asked as the list is', async () => {
    file('/desk/api/people.csv?query=a+b', 'a,b')
    await shown()
    const press = () => page.getByRole('button', { name: 'Export' }).click()
    expect(await savedName(press)).toBe('people-today.csv')
  })

  test('that could not be had is told in words', async () => {
    await shown()
    await page.getByRole('button', { name: 'Export' }).click()
    await expect.element(page.getByText(/The server did not answer/).first()).toBeVisible()
  })

  test('is not offered to whoever may have no copy', async () => {
    await shown(self({ role: 'support' }))
    expect(page.getByRole('button', { name: 'Export' }).query()).toBe(null)
  })
})
