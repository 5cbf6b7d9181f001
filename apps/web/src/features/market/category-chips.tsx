import { useTranslations } from 'use-intl'
import { Chip, ChipRow } from '@fairlot/ui/chip.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { ALL, MINE } from './list-filter.ts'
import { useCategories } from './queries.ts'

type CategoryChipsProps = { selected: number; onSelect: (categoryId: number) => void }

/** All, the own list, and each category the server knows. */
export function CategoryChips({ selected, onSelect }: CategoryChipsProps) {
  const t = useTranslations('market')
  const categories = useCategories()
  return (
    <ChipRow label={t('categories')}>
      <Chip isSelected={selected === ALL} onSelect={() => onSelect(ALL)}>
        {t('all')}
      </Chip>
      <Chip isSelected={selected === MINE} onSelect={() => onSelect(MINE)}>
        {t('mine')}
      </Chip>
      {categories?.map(({ id, name }) => (
        <Chip key={id} isSelected={selected === id} onSelect={() => onSelect(id)}>
          {name}
        </Chip>
      )) ?? [20, 24, 20].map((width, at) => <ChipSkeleton key={at} width={width} />)}
    </ChipRow>
  )
}

const ChipSkeleton = ({ width }: { width: number }) => (
  <span className="flex min-h-11 items-center" style={{ width: `${width / 4}rem` }}>
    <Skeleton shape="h-9 w-full" />
  </span>
)
