import { LANGUAGE_CODES } from '@fairlot/contract'
import { categoriesFile, listDeskCategories, type DeskCategory } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useCallback, useState } from 'react'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { DetailHead, Passage, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { CategoryDialog, RemoveCategoryDialog } from './category-dialog.tsx'
import { deskNameOf } from './category-names.ts'
import type { MarketPageProps } from './market-page.ts'

const COLUMNS: readonly Column<DeskCategory>[] = [
  { key: 'name', title: 'Category', cell: deskNameOf, onPhone: 'title' },
  { key: 'code', title: 'Code', cell: ({ code }) => code },
  {
    key: 'languages',
    title: 'Languages',
    cell: ({ names }) => `${names.length} of ${LANGUAGE_CODES.length}`,
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'instruments',
    title: 'Instruments',
    cell: ({ instruments }) => instruments,
    align: 'end',
    onPhone: 'figure',
  },
]

/** The categories of instruments, in the order in which traders see them. */
export function CategoriesScreen({ filter }: MarketPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskCategories, null)
  const [openId, setOpenId] = useState<number | null>(null)
  const [asking, setAsking] = useState<'new' | 'edit' | 'remove' | null>(null)
  const mayEdit = useMay('editCategories')
  const categories = data?.categories ?? []
  const open = categories.find(({ id }) => id === openId)
  const close = () => setAsking(null)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: deskNameOf(open),
              body: <CategoryDetail category={open} mayEdit={mayEdit} />,
              acts: mayEdit && (
                <>
                  {open.instruments === 0 && (
                    <Button tone="danger" onClick={() => setAsking('remove')}>
                      Remove
                    </Button>
                  )}
                  <Button onClick={() => setAsking('edit')}>Edit</Button>
                </>
              ),
            }
          : null
      }
    >
      <Page
        title="Market"
        filter={filter}
        file={<CsvButton file={categoriesFile} input={null} />}
        actions={
          mayEdit && (
            <Button size="small" onClick={() => setAsking('new')}>
              New
            </Button>
          )
        }
      >
        <DataTable
          label="Categories"
          columns={COLUMNS}
          rows={data?.categories}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No category yet', text: 'Traders find instruments by them.' }}
        />
      </Page>
      {asking === 'new' && <CategoryDialog category={null} categories={categories} onClose={close} />}
      {asking === 'edit' && open && (
        <CategoryDialog category={open} categories={categories} onClose={close} />
      )}
      {asking === 'remove' && open && (
        <RemoveCategoryDialog category={open} onDone={() => setOpenId(null)} onClose={close} />
      )}
    </SplitView>
  )
}

function CategoryDetail({ category, mayEdit }: { category: DeskCategory; mayEdit: boolean }) {
  const { code, names, instruments } = category
  return (
    <>
      <DetailHead kind={`Category ${category.id}`} title={deskNameOf(category)} />
      <FactList
        facts={[
          { label: 'Code', value: code },
          { label: 'Instruments, and announced ones', value: instruments },
          ...names.map(({ language, name }) => ({
            label: LANGUAGE_NAMES[language],
            value: (
              <span lang={LANGUAGE_TAGS[language]} dir={directionOf(language)}>
                {name}
              </span>
            ),
          })),
        ]}
      />
      <Passage title={instruments === 0 ? 'Nothing is in it' : 'It stays while something is in it'}>
        <p>
          {instruments === 0
            ? 'Traders see it once an instrument is put into it, by a change of its terms.'
            : mayEdit
              ? 'To remove it, put its instruments into other categories first.'
              : 'Dealing and administrators may rename it or put it in another place.'}
        </p>
      </Passage>
    </>
  )
}
