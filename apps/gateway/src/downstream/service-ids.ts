type Nameable = {
  /** Fixed by the configuration or given here; null while the service has not told its name. */
  serviceId: string | null;
  readonly name: string | null;
  readonly url: URL;
};

/**
 * Gives each service that has no id yet the name it gives itself, in configuration order; a second one of a
 * name gets `-2`. An id once given stays.
 */
export function nameAll(services: readonly Nameable[]): void {
  const taken = takenBy(services);
  for (const service of services)
    if (service.serviceId === null && service.name !== null)
      service.serviceId = take(taken, slugOf(service.name));
}

/** The ids of all services. Until a service has told its name, its address names it. */
export function idsOf(services: readonly Nameable[]): readonly string[] {
  const taken = takenBy(services);
  return services.map(({ serviceId, url }) => serviceId ?? take(taken, slugOf(url.host)));
}

const takenBy = (services: readonly Nameable[]): Set<string> =>
  new Set(services.map((service) => service.serviceId).filter((id) => id !== null));

function take(taken: Set<string>, slug: string): string {
  let id = slug;
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`;
  taken.add(id);
  return id;
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || 'service';
