import { askHalt, haltTrading, resumeTrading, setTradingMode } from '@fairlot/contract/desk'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

/** What is halted, or let trade again, by one key. */
export type HaltScope =
  | { readonly instrumentId: number; readonly name: string }
  | { readonly category: string; readonly name: string }
  | 'all'

const inputOf = (scope: HaltScope) => {
  if (scope === 'all') return { scope: 'all', instrumentId: null, category: null } as const
  if ('category' in scope) return { scope: 'category', instrumentId: null, category: scope.category } as const
  return { scope: 'instrument', instrumentId: scope.instrumentId, category: null } as const
}

const nameOf = (scope: HaltScope): string => (scope === 'all' ? 'everything' : scope.name)

type DialogProps = { scope: HaltScope; onClose: () => void }

/** Halts an instrument, a category or everything. */
export const HaltDialog = ({ scope, onClose }: DialogProps) => (
  <ReasonDialog
    title={`Halt ${nameOf(scope)}`}
    text="Nothing opens, closes or triggers from this moment on. Traders see it at once, and read the reason as it stands here."
    endpoint={haltTrading}
    inputOf={(reason) => ({ ...inputOf(scope), reason })}
    sendLabel={`Halt ${nameOf(scope)}`}
    tone="danger"
    done="Halted."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Ends halts. */
export const ResumeDialog = ({ scope, onClose }: DialogProps) => (
  <ReasonDialog
    title={`Let ${nameOf(scope)} trade again`}
    text="The next price is handled as one after a gap."
    endpoint={resumeTrading}
    inputOf={(reason) => ({ ...inputOf(scope), reason })}
    sendLabel="Let it trade"
    done="It trades again."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Asks dealing for a halt. */
export const AskHaltDialog = ({
  instrumentId,
  name,
  onClose,
}: {
  instrumentId: number
  name: string
  onClose: () => void
}) => (
  <ReasonDialog
    title={`Ask to halt ${name}`}
    text="Dealing decides. Traders read the reason as it stands here."
    endpoint={askHalt}
    inputOf={(reason) => ({ instrumentId, reason })}
    needsSecond="always"
    sendLabel="Ask"
    done="It is asked for."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Pauses trading for everybody, or opens it again. */
export const PauseDialog = ({ isPaused, onClose }: { isPaused: boolean; onClose: () => void }) => (
  <ReasonDialog
    title={isPaused ? 'Open trading' : 'Pause trading'}
    text={
      isPaused
        ? 'Orders can be placed and closed again, except where an instrument is halted.'
        : 'Pending orders can be cancelled and stops moved; nothing else happens, on any instrument.'
    }
    endpoint={setTradingMode}
    inputOf={(reason) => ({ mode: isPaused ? ('normal' as const) : ('cancelOnly' as const), reason })}
    changes={[
      { label: 'Trading', before: isPaused ? 'paused' : 'open', after: isPaused ? 'open' : 'paused' },
    ]}
    sendLabel={isPaused ? 'Open trading' : 'Pause trading'}
    tone={isPaused ? 'ink' : 'danger'}
    done={isPaused ? 'Trading is open.' : 'Trading is paused.'}
    onClose={onClose}
  />
)
