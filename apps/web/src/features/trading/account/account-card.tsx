import { Card } from '@fairlot/ui/card.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { AccountCardSkeleton } from './account-card-skeleton.tsx'
import { AccountOverview } from './account-overview.tsx'

/** The account at a glance. */
export function AccountCard() {
  const figures = useAccountFigures()
  if (!figures) return <AccountCardSkeleton />
  return (
    <Card>
      <AccountOverview figures={figures} />
    </Card>
  )
}
