import { haltTrading, ONE_OPERATOR, requestHalt, resumeTrading, setTradingMode } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

/** What is halted or resumed. */
export type HaltScope =
  | { readonly instrumentId: number; readonly name: string }
  | { readonly category: string; readonly name: string }
  | 'all'

const inputOf = (scope: HaltScope) => {
  if (scope === 'all') return { scope: 'all', instrumentId: null, category: null } as const
  if ('category' in scope) return { scope: 'category', instrumentId: null, category: scope.category } as const
  return { scope: 'instrument', instrumentId: scope.instrumentId, category: null } as const
}

const nameOf = (scope: HaltScope): string => (scope === 'all' ? 'everything' : asName(scope.name))

const { haltMinutes, nextHaltHours } = ONE_OPERATOR
const NEXT_HALT = `For ${nextHaltHours} hours after the halt ends, another one of the same market needs two operators; a halt of the whole market counts for every instrument.`

type DialogProps = { scope: HaltScope; onClose: () => void }

/** Halts an instrument, a category or everything. */
export const HaltDialog = ({ scope, onClose }: DialogProps) => (
  <ReasonDialog
    title={`Halt ${nameOf(scope)}`}
    text={`No orders are accepted, filled or triggered for ${haltMinutes} minutes. ${NEXT_HALT} Users see the halt and your reason at once.`}
    endpoint={haltTrading}
    inputOf={(reason) => ({ ...inputOf(scope), reason })}
    submitLabel={`Halt ${nameOf(scope)}`}
    tone="danger"
    done="Halted."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Lifts halts. */
export const ResumeDialog = ({ scope, onClose }: DialogProps) => (
  <ReasonDialog
    title={`Resume trading of ${nameOf(scope)}`}
    text="The next tick may move further than usual, as after a market gap."
    endpoint={resumeTrading}
    inputOf={(reason) => ({ ...inputOf(scope), reason })}
    submitLabel="Resume"
    done="Trading has resumed."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Requests a halt that lasts until it is lifted, of one instrument or, without one, of the whole market. */
export const RequestHaltDialog = ({
  instrumentId,
  name,
  onClose,
}: {
  instrumentId: number | null
  name: string
  onClose: () => void
}) => (
  <ReasonDialog
    title={`Request a halt of ${name}`}
    text="A second operator who can halt trading must approve. The halt then lasts until it is lifted. Users see your reason."
    endpoint={requestHalt}
    inputOf={(reason) => ({ instrumentId, reason })}
    twoOperatorRule="halt"
    submitLabel="Request"
    done="Requested."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** The trading modes of the whole market. */
export type NewMode = 'normal' | 'reduceOnly' | 'halted'

export const MODE_LABELS: Readonly<Record<NewMode | 'cancelOnly', string>> = {
  normal: 'normal',
  reduceOnly: 'reduce only',
  halted: 'halted',
  cancelOnly: 'cancel only',
}

const MODE_TEXTS: Readonly<Record<NewMode, { title: string; text: string; done: string }>> = {
  normal: {
    title: 'Resume normal trading',
    text: 'Orders can be placed and positions closed again, except on halted instruments.',
    done: 'Normal trading has resumed.',
  },
  reduceOnly: {
    title: 'Reduce only',
    text: 'No new positions. Positions can be closed, orders cancelled and stops moved; stops still trigger. Users see your reason.',
    done: 'Positions can only be reduced.',
  },
  halted: {
    title: 'Halt trading',
    text: `No orders are accepted, filled or triggered on any instrument for ${haltMinutes} minutes. ${NEXT_HALT} Users see your reason.`,
    done: 'Trading halted.',
  },
}

type ModeDialogProps = { mode: NewMode; before: NewMode | 'cancelOnly'; onClose: () => void }

/** Changes the trading mode of the whole market. */
export const ModeDialog = ({ mode, before, onClose }: ModeDialogProps) => (
  <ReasonDialog
    title={MODE_TEXTS[mode].title}
    text={MODE_TEXTS[mode].text}
    endpoint={setTradingMode}
    inputOf={(reason) => ({ mode, reason })}
    changes={[{ label: 'Trading', before: MODE_LABELS[before], after: MODE_LABELS[mode] }]}
    submitLabel={MODE_TEXTS[mode].title}
    tone={mode === 'normal' ? 'ink' : 'danger'}
    done={MODE_TEXTS[mode].done}
    topics={['waiting']}
    onClose={onClose}
  />
)
