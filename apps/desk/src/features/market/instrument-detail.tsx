import { fieldLabel, type InstrumentRow } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useState } from 'react'
import { useMay } from '../../live/session.ts'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { AskHaltDialog, HaltDialog, ResumeDialog } from './halt-dialogs.tsx'
import { SourceBadge } from './source-badge.tsx'
import { type Choices, instrumentSections } from './instrument-fields.ts'
import { linesOf } from './terms-form.tsx'

type InstrumentDetailProps = { row: InstrumentRow; choices: Choices }

/** The terms of an instrument that are in force. */
export function InstrumentDetail({ row, choices }: InstrumentDetailProps) {
  const { terms, haltReason, announced, source } = row
  const sections = instrumentSections({ ...choices, isNew: false, marginMode: terms.marginMode })
  const lines = linesOf(sections, terms)
  return (
    <>
      <DetailHead
        kind={`Instrument ${row.id} · ${terms.code}`}
        title={terms.showCode}
        badge={<SourceBadge kind={source} />}
      />
      {haltReason !== null && (
        <Passage title="Halted. Traders read">
          <p>“{haltReason}”</p>
        </Passage>
      )}
      {announced > 0 && (
        <p>
          <Badge tone="brass">
            {announced === 1 ? 'A change is announced' : `${announced} changes are announced`}
          </Badge>
        </p>
      )}
      {sections.map(({ title, fields }) => (
        <section key={title}>
          <h3 className="text-note font-bold">{title}</h3>
          <FactList
            facts={fields.map(({ name, label = fieldLabel(name), isPicture = false }) => ({
              label,
              value: isPicture && lines[name] ? <Logo address={lines[name]} /> : lines[name] || '–',
            }))}
          />
        </section>
      ))}
    </>
  )
}

const Logo = ({ address }: { address: string }) => (
  <img src={address} alt="" className="size-7 rounded-full bg-white object-cover" />
)

type InstrumentActsProps = { row: InstrumentRow; onEdit: (() => void) | null }

/** What may be done to an instrument. */
export function InstrumentActs({ row, onEdit }: InstrumentActsProps) {
  const [mayHalt, mayAsk] = [useMay('halt'), useMay('askHalt')]
  const [isAsking, setIsAsking] = useState(false)
  const close = () => setIsAsking(false)
  const dialog = { scope: { instrumentId: row.id, name: row.terms.showCode }, onClose: close }
  const isHalted = row.haltReason !== null
  return (
    <>
      {mayHalt && (
        <Button tone={isHalted ? 'outline' : 'danger'} onClick={() => setIsAsking(true)}>
          {isHalted ? 'Let it trade' : 'Halt'}
        </Button>
      )}
      {mayAsk && !mayHalt && !isHalted && (
        <Button tone="outline" onClick={() => setIsAsking(true)}>
          Ask to halt
        </Button>
      )}
      {onEdit && <Button onClick={onEdit}>Change terms</Button>}
      {isAsking && mayHalt && (isHalted ? <ResumeDialog {...dialog} /> : <HaltDialog {...dialog} />)}
      {isAsking && !mayHalt && (
        <AskHaltDialog instrumentId={row.id} name={row.terms.showCode} onClose={close} />
      )}
    </>
  )
}
