params.data = 'data'
params.samples = ['liver', 'heart', 'lung']

process INDEX {
    input: path ref
    output: path 'index'
    script:
    """
    mkdir index && cp $ref index/ref.fa && bwa index index/ref.fa && samtools faidx index/ref.fa
    """
}

process TRIM {
    cpus 2
    input: tuple val(sample), path(first), path(second)
    output: tuple val(sample), path("${sample}_1.fq"), path("${sample}_2.fq")
    script:
    """
    fastp -w ${task.cpus} -i $first -I $second -o ${sample}_1.fq -O ${sample}_2.fq -j /dev/null -h /dev/null
    """
}

process ALIGN {
    cpus 2
    memory '1 GB'
    input:
    tuple val(sample), path(first), path(second)
    path index
    output: tuple val(sample), path("${sample}.sam")
    script:
    """
    bwa mem -t ${task.cpus} -K 10000000 index/ref.fa $first $second > ${sample}.sam
    """
}

process FIXMATE {
    cpus 2
    input: tuple val(sample), path(sam)
    output: tuple val(sample), path("${sample}.fixed.bam")
    script: "samtools fixmate -m -@ ${task.cpus} $sam ${sample}.fixed.bam"
}

process SORT {
    cpus 2
    input: tuple val(sample), path(bam)
    output: tuple val(sample), path("${sample}.sorted.bam")
    script: "samtools sort -@ ${task.cpus} -m 64M -o ${sample}.sorted.bam $bam"
}

process MARKDUP {
    cpus 2
    input: tuple val(sample), path(bam)
    output: tuple val(sample), path("${sample}.bam")
    script: "samtools markdup -@ ${task.cpus} $bam ${sample}.bam"
}

process STATS {
    cpus 2
    input: tuple val(sample), path(bam)
    output: path "${sample}.stats.txt"
    script: "samtools stats -@ ${task.cpus} $bam > ${sample}.stats.txt"
}

process CALL {
    cpus 2
    input:
    tuple val(sample), path(bam)
    path index
    output: tuple val(sample), path("${sample}.vcf")
    script:
    """
    samtools index $bam
    bcftools mpileup --threads ${task.cpus} -f index/ref.fa $bam | bcftools call --threads ${task.cpus} -mv -Ov -o ${sample}.vcf
    """
}

process PACK {
    cpus 2
    input: tuple val(sample), path(vcf)
    output: path "${sample}.vcf.gz"
    script: "pigz -p ${task.cpus} -n -c $vcf > ${sample}.vcf.gz"
}

workflow {
    reads = Channel.fromList(params.samples)
        .map { [it, file("${params.data}/${it}_1.fq.gz"), file("${params.data}/${it}_2.fq.gz")] }
    index = INDEX(file("${params.data}/ref.fa")).first()
    marked = ALIGN(TRIM(reads), index) | FIXMATE | SORT | MARKDUP
    STATS(marked)
    CALL(marked, index) | PACK
}
