import { useUser } from '../../../live/auth/user.ts'
import { ClosingCard } from './closing-card.tsx'
import { CopyCard } from './copy-card.tsx'

/** What is kept about oneself, to take along, and the end of the account. */
export function OwnDataScreen({ onClosed }: { onClosed: () => void }) {
  const user = useUser()
  if (!user) return null
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <CopyCard user={user} />
      <ClosingCard user={user} onClosed={onClosed} />
    </div>
  )
}
