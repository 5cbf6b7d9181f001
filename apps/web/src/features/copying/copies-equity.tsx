import { Copy } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { equityOf } from './copies-screen.tsx'
import { OwnAmount } from './figures.tsx'
import { useCopies } from './queries.ts'

/** The equity in copies, for the user's overview: named apart, since it is not free for own orders. Nothing without copies. */
export function CopiesEquity() {
  const t = useTranslations('copying')
  const { data: copies } = useCopies()
  const running = copies?.filter(({ state }) => state !== 'ended') ?? []
  if (running.length === 0) return null
  return (
    <Card>
      <div className="-my-3">
        <ListLink
          icon={Copy}
          to="/rank?tab=copy"
          title={t('equityInCopies')}
          note={t('equityInCopiesNote', { count: running.length })}
          value={
            <span className="font-bold text-ink">
              <OwnAmount units={equityOf(running)} />
            </span>
          }
        />
      </div>
    </Card>
  )
}
