import { getChainHeads, getBrokerFigures, waitingFile } from '@fairlot/contract/desk'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { type ReactNode, useCallback, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { shortHash } from '../../i18n/audit-text.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useSelf } from '../../live/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { KeysDialog } from '../../ui/keys-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { CaseActions } from './case-actions.tsx'
import { CaseBody, useCase } from './case-body.tsx'
import { nextCase, useWaitingList, waitingColumns } from './waiting-list.tsx'

/**
 * All open cases, highest risk first, with the selected case beside them; its key is in the address. `cards` are shown below,
 * beside the card about prices.
 */
export function WaitingScreen({ cards = null }: { cards?: ReactNode }) {
  const { '*': path = '' } = useParams()
  const navigate = useNavigate()
  const self = useSelf()
  const now = useNow()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const { criteria, table, filter, search, isFiltered } = useWaitingList()
  const caseKey = path === '' ? null : path
  const open = useCase(caseKey)
  const [confirmation, setConfirmation] = useState<string | null>(null)
  const show = (next: string | null) => void navigate(`/waiting${next === null ? '' : `/${next}`}`)
  const showNext = () => caseKey !== null && show(nextCase(table.rows ?? [], caseKey))
  return (
    <SplitView
      onClose={useCallback(() => void navigate('/waiting'), [navigate])}
      detail={
        caseKey === null
          ? null
          : {
              name: open.shown?.case.title ?? caseKey,
              body: <CaseBody key={caseKey} open={open} />,
              actions: open.shown && (
                <CaseActions
                  key={caseKey}
                  open={open.shown}
                  isClosed={open.isClosed}
                  onDone={showNext}
                  onConfirmation={setConfirmation}
                />
              ),
            }
      }
    >
      <Page
        title="Waiting"
        filter={filter}
        search={{ label: 'Find a case', ...search }}
        file={<CsvButton file={waitingFile} input={{ ...criteria, before: null }} />}
        footer={isWide && <StatusCards cards={cards} />}
      >
        <DataTable
          search={search}
          {...table}
          label="Open cases"
          columns={waitingColumns(self.id, now)}
          keyOf={(row) => row.caseKey}
          selected={caseKey}
          onOpen={(row) => show(row.caseKey)}
          empty={
            isFiltered
              ? { title: 'No matches', text: 'Other cases may be open: clear the filter and the search.' }
              : { title: 'No open cases', text: 'All cases have been decided.' }
          }
        />
        {!isWide && (
          <div className="pt-4">
            <StatusCards cards={cards} />
          </div>
        )}
      </Page>
      {confirmation !== null && (
        <KeysDialog keys={{ invitation: null, confirmation }} onClose={() => setConfirmation(null)} />
      )}
    </SplitView>
  )
}

/** Status cards below the list: prices, then the given cards or else the journal. A card is shown once its figures are loaded. */
function StatusCards({ cards }: { cards: ReactNode }) {
  const now = useNow()
  const { data: broker } = useDeskQuery(getBrokerFigures, null, { topics: ['market'] })
  const { data: heads } = useDeskQuery(getChainHeads, null)
  return (
    <FigureRow>
      {broker && (
        <FigureCard
          label="Prices"
          value={`${asName(broker.freshPrices)} of ${asName(broker.instruments)} fresh`}
          {...(broker.freshPrices < broker.instruments && { tone: 'down' as const })}
        >
          {withNames(`${asName(broker.refusedTicks)} ticks rejected so far`)}
        </FigureCard>
      )}
      {broker && broker.unnamedProxies.length > 0 && (
        <FigureCard label="Proxy" value="Not set up" tone="down">
          Requests arrive through <Name>{broker.unnamedProxies.join(', ')}</Name>. Add it to{' '}
          <Name>TRUST_PROXY</Name>: until then every user appears with its address.
        </FigureCard>
      )}
      {cards}
      {!cards && heads && (
        <FigureCard label="Journal" value={`row ${asName(heads.journal.number)}`}>
          <Name>{shortHash(heads.journal.hash)}</Name>
          {heads.lastMailed && (
            <>
              {' · e-mailed '}
              <Name>{moment(heads.lastMailed.at, now)}</Name>
            </>
          )}
        </FigureCard>
      )}
    </FigureRow>
  )
}
