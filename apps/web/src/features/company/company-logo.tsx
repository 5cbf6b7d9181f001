import { Icon } from '@fairlot/ui/icon.tsx'
import { Building2 } from 'lucide-react'

/** The sign of a company; a house where it has none, or none comes. */
export const CompanyLogo = ({ logo }: { logo: string }) => (
  <span className="relative grid size-11 shrink-0 place-items-center overflow-hidden rounded-field bg-raised text-third ring-1 ring-line ring-inset">
    <Icon of={Building2} />
    {logo !== '' && (
      <img
        src={logo}
        alt=""
        loading="lazy"
        className="absolute inset-0 size-full bg-surface object-contain"
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
      />
    )}
  </span>
)
