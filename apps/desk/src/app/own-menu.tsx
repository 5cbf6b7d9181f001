import type { DeskSelf } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useState } from 'react'
import { PasswordDialog } from '../features/auth/password-dialog.tsx'
import { logOut } from '../live/session.ts'

/** Who is here and how long yet; opens what they may do about themselves. */
export function OwnMenu({ self, minutesLeft }: { self: DeskSelf; minutesLeft: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const [changesPassword, setChangesPassword] = useState(false)
  return (
    <div>
      {isOpen && (
        <div className="flex flex-col gap-1 pb-2">
          <Button tone="outline" size="small" onClick={() => setChangesPassword(true)}>
            Own password
          </Button>
          <Button tone="outline" size="small" onClick={() => void logOut()}>
            Log out
          </Button>
        </div>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2.5 rounded-field px-1 py-1 text-start"
      >
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-full bg-ink text-note font-bold text-on-ink"
        >
          {self.name.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0 text-note">
          <span className="block truncate font-bold">{self.name}</span>
          <span className="block text-tiny text-second">
            {self.role} · {minutesLeft} min left
          </span>
        </span>
      </button>
      {changesPassword && <PasswordDialog onClose={() => setChangesPassword(false)} />}
    </div>
  )
}
