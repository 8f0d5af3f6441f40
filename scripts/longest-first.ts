import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A system of many processes, a browser, or a model that is checked over and over. */
const long = /\/conformance\/|-model\.|\/start\.e2e/;

/** A short file that calculates for a long time. */
const calculates = /\/receipts\.test|\/recover\.test/;

/**
 * Starts the test files that take longest first, so that no worker is left alone with one at the end of the run, and
 * those that need memory only last. Vitest itself knows durations from an earlier run only.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => weight(b) - weight(a));
  }
}

function weight({ project, moduleId }: TestSpecification): number {
  if (project.name === 'property') return 1;
  if (project.name === 'unit') return calculates.test(moduleId) ? 1 : 0;
  return long.test(moduleId) ? 3 : 2;
}
