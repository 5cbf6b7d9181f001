import { ChevronDown, Check } from 'lucide-react'
import { useState, type Dispatch } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { controlClass, Field, TextField } from '@fairlot/ui/field.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { expiryOf, readExpiry, valueOf } from './ticket-parser.ts'
import { EXPIRIES, type Expiry, type TicketAction, type TicketState } from './ticket-state.ts'

type ExpiryFieldProps = {
  state: TicketState
  /** Epoch ms on the market's clock. */
  now: number
  problem: string | null
  dispatch: Dispatch<TicketAction>
}

/** Until when a pending order waits: one of a few quick choices, or a date and time of the reader's own, in a sheet. */
export function ExpiryField(props: ExpiryFieldProps) {
  const { state, now, problem } = props
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const { moments } = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const at = valueOf(readExpiry(state))
  return (
    <Field label={t('expiry')} problem={problem}>
      {(ids) => (
        <>
          <button
            {...ids}
            type="button"
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            className={`${controlClass} flex items-center justify-center gap-1 font-bold`}
          >
            <span className="min-w-0 truncate">
              {at === null ? t(`expiries.${state.expiry}`) : <bdi>{moments.soon(at, now)}</bdi>}
            </span>
            <Icon of={ChevronDown} size={16} />
          </button>
          <Sheet
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            title={t('expiryTitle')}
            closeLabel={app('close')}
          >
            <p className="pb-2 text-note text-second">{t('expiryText')}</p>
            <Choices {...props} onDone={() => setIsOpen(false)} />
          </Sheet>
        </>
      )}
    </Field>
  )
}

function Choices({ state, now, problem, dispatch, onDone }: ExpiryFieldProps & { onDone: () => void }) {
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const choose = (expiry: Expiry) => {
    dispatch({ type: 'expiry', expiry, expiresAt: expiryOf(expiry, now) })
    if (expiry !== 'own') onDone()
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {EXPIRIES.map((expiry) => (
          <ExpiryRow key={expiry} expiry={expiry} state={state} now={now} onChoose={choose} />
        ))}
      </ul>
      {state.expiry === 'own' && (
        <div className="flex flex-col gap-3 pt-1">
          <TextField
            label={t('expiryOwn')}
            type="datetime-local"
            value={state.expiryText}
            problem={problem}
            onChange={(text) => dispatch({ type: 'expiryText', text })}
          />
          <Button isWide onClick={onDone}>
            {app('done')}
          </Button>
        </div>
      )}
    </>
  )
}

type ExpiryRowProps = {
  expiry: Expiry
  state: TicketState
  now: number
  onChoose: (expiry: Expiry) => void
}

function ExpiryRow({ expiry, state, now, onChoose }: ExpiryRowProps) {
  const t = useTranslations('ticket')
  const { moments } = useLocale()
  const isChosen = expiry === state.expiry
  const at = isChosen ? state.expiresAt : expiryOf(expiry, now)
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(expiry)}
        className="flex min-h-13 w-full items-center gap-3 text-start"
      >
        <span className="grow font-bold">{t(`expiries.${expiry}`)}</span>
        {at !== null && <bdi className="text-note text-second">{moments.soon(at, now)}</bdi>}
        <span className="w-5">{isChosen && <Icon of={Check} />}</span>
      </button>
    </li>
  )
}
