import type { DeskAct, PersonProfile } from '@fairlot/contract/desk'
import { mayDo } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { type ComponentType, useState } from 'react'
import { useSelf } from '../../live/session.ts'
import { AdjustmentDialog, CreditScoreDialog } from './account-dialogs.tsx'
import { LogOutDialog, SecondFactorDialog } from './access-dialogs.tsx'
import type { PersonDialogProps } from './person-props.ts'
import { VerifyDialog } from './verify-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

type MenuItem = {
  readonly label: string
  readonly note: string
  readonly act: DeskAct
  readonly Dialog: ComponentType<PersonDialogProps>
  readonly isOn?: (person: PersonProfile) => boolean
}

/** The owner of a closed account has gone; only its balance can still be put right. */
const isLiving = ({ status }: PersonProfile): boolean => status !== 'closed'

const ITEMS: readonly MenuItem[] = [
  {
    label: 'Restrict or free',
    note: 'Close only, frozen, or free to trade',
    act: 'restrictPerson',
    Dialog: StatusDialog,
    isOn: isLiving,
  },
  {
    label: 'Identity',
    note: 'Verified, or no longer: who is not cannot withdraw',
    act: 'verifyPerson',
    Dialog: VerifyDialog,
    isOn: ({ user }) => !user.isDemo,
  },
  {
    label: 'Log out everywhere',
    note: 'Ends every session',
    act: 'logPersonOut',
    Dialog: LogOutDialog,
    isOn: isLiving,
  },
  {
    label: 'Reset second factor',
    note: 'For somebody who lost it; tells them by mail',
    act: 'resetPersonSecondFactor',
    Dialog: SecondFactorDialog,
    isOn: ({ hasSecondFactor }) => hasSecondFactor,
  },
  {
    label: 'Credit score',
    note: 'Sets it to another figure',
    act: 'setCreditScore',
    Dialog: CreditScoreDialog,
    isOn: isLiving,
  },
  {
    label: 'Ask for an adjustment',
    note: 'Another person decides',
    act: 'askAdjustment',
    Dialog: AdjustmentDialog,
    isOn: ({ user }) => !user.isDemo,
  },
]

/** What this operator may do about somebody, each with a reason. */
export function PersonMenu({ person }: { person: PersonProfile }) {
  const { role } = useSelf()
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState<MenuItem | null>(null)
  const items = ITEMS.filter(({ act, isOn }) => mayDo(role, act) && (isOn?.(person) ?? true))
  if (items.length === 0) return null
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Act
      </Button>
      <Sheet
        isOpen={isOpen}
        title={`What may be done about ${person.user.uid}`}
        closeLabel="Close"
        onClose={() => setIsOpen(false)}
      >
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <li key={item.label}>
              <button
                type="button"
                className="min-h-14 w-full py-2 text-start"
                onClick={() => {
                  setIsOpen(false)
                  setChosen(item)
                }}
              >
                <span className="block font-bold">{item.label}</span>
                <span className="block text-note text-second">{item.note}</span>
              </button>
            </li>
          ))}
        </ul>
      </Sheet>
      {chosen && <chosen.Dialog person={person} onClose={() => setChosen(null)} />}
    </>
  )
}
