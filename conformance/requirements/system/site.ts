import type { Requirement } from '../requirement.ts';

/** The documentation: its pages, and the website that `npm run site` builds of them. */
export const systemSiteRequirements = [
  {
    id: 'system.site.snippets',
    source: 'issue 20, 8',
    behaviour:
      'Each block of README and guides says by its info string what it is: commands run, in the order of their page, against a demo; ' +
      'TypeScript compiles against the SDK and its programs run; JSON parses; forms name commands that exist; the rest is output. ' +
      'Codes and variables that a guide names are in the sources.',
    status: 'tested',
  },
  {
    id: 'system.site.pages',
    source: 'issue 20, 8',
    behaviour:
      'npm run site builds a page for each job, specification, decisions and threat model, and a section for each operation of the three ' +
      'APIs, made from the documents that the services answer.',
    status: 'tested',
  },
  {
    id: 'system.site.dead-links',
    source: 'issue 20, 8',
    behaviour:
      'A link of the site to a page, heading or file that is not there fails its build, and so does a file that would load something from another host.',
    status: 'tested',
  },
  {
    id: 'system.site.reading',
    source: 'issue 20, 8',
    behaviour:
      'The built site asks no other host for anything, searches without a server, and has nothing that axe objects to on start page, guide and ' +
      'API page, in both themes, wide and narrow; the first Tab leads to what skips the navigation.',
    status: 'tested',
  },
  {
    id: 'system.site.pictures',
    source: 'issue 20, 8',
    behaviour:
      'Each picture of the console is there light and dark, with at most 150 kB, and a page shows it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
